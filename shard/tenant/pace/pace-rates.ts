import type { OwnPace } from "../../../shared/tenant/tenant-pace.js";
import type { Rate } from "./rate.js";

/** At which pace one session may send; `undefined`: at any. */
export interface PaceRates {
  /** Messages to anybody. */
  readonly sends: Rate | undefined;
  /** First messages to people with whom it has exchanged none. */
  readonly newContacts: Rate | undefined;
}

/** So many in their time, of which so many at once after a rest; a count of 0 is no limit. */
export interface SetPace {
  readonly count: number;
  readonly burst: number;
}

/** What was set for all sessions of a platform. */
export type DeploymentPace = { readonly [Name in keyof PaceRates]: SetPace };

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** What a tenant has for itself comes before the deployment's. */
export function paceRates(deployment: DeploymentPace, own: OwnPace = {}): PaceRates {
  return {
    sends: rateOf(deployment.sends, own.sendsPerMinute, minuteMs),
    newContacts: rateOf(deployment.newContacts, own.newContactsPerHour, hourMs),
  };
}

/** A tenant that may do a few in that time may do no more than these at once. */
function rateOf({ count, burst }: SetPace, own: number | null | undefined, perMs: number): Rate | undefined {
  const most = own ?? count;
  if (most === 0) return undefined;
  return { intervalMs: perMs / most, burst: own == null ? burst : Math.min(burst, own) };
}
