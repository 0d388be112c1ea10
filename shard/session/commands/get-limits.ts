import type { PaceLimit, SessionLimits } from "../../../shared/contract/limits.js";
import type { Rate } from "../../tenant/pace/rate.js";
import type { PaceUsage } from "../../tenant/pace/session-pace.js";
import type { Session } from "../session.js";

/** GET /session/limits: what is known of the account. Needs no connection. */
export async function getLimits({ context: { health, pace } }: Session): Promise<SessionLimits> {
  const usage = await pace.usage();
  const { restriction, newChats } = health;
  return {
    restricted: restriction !== undefined,
    until: restriction?.until ?? "",
    reason: restriction?.reason ?? "",
    newChats: { used: newChats?.used ?? null, cap: newChats?.cap ?? null, resets: newChats?.resets ?? "" },
    pace: paceLimit(usage),
  };
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** Returns the limits in the units that tenants set them in. */
export function paceLimit({ rates: { sends, newContacts, warmUp }, ...used }: PaceUsage): PaceLimit {
  return {
    sendsPerMinute: perPeriod(sends, minuteMs),
    sendsBurst: sends?.burst ?? 0,
    sendsUsed: used.sends,
    newContactsPerHour: perPeriod(newContacts, hourMs),
    newContactsBurst: newContacts?.burst ?? 0,
    newContactsUsed: used.newContacts,
    warmUp: warmUp === undefined ? null : { day: warmUp.day, days: warmUp.days, perDay: warmUp.perDay },
  };
}

/** A few messages a day are a small part of a message per minute. */
function perPeriod(rate: Rate | undefined, periodMs: number): number {
  return rate === undefined ? 0 : Math.round((periodMs / rate.intervalMs) * 1_000) / 1_000;
}
