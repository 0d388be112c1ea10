import { type OwnPace, paceMost } from "../../../shared/tenant/tenant-pace.js";
import type { Rate } from "./rate.js";
import { warmUpDay, warmUpRate, type AccountAge, type WarmUpDay } from "./warm-up.js";

/** The rates at which one session may send; `undefined`: no limit. */
export interface PaceRates {
  /** Messages to any recipient. */
  readonly sends: Rate | undefined;
  /** First messages to people that the account has exchanged none with. */
  readonly newContacts: Rate | undefined;
  /** Set while the account warms up. */
  readonly warmUp?: WarmUpDay;
}

/** The number per period, and how many at once after a rest. A `count` of 0 is no limit. */
export interface SetPace {
  readonly count: number;
  readonly burst: number;
}

/** The configured pace of all sessions of a platform. */
export type DeploymentPace = { readonly [Name in keyof PaceRates]: SetPace };

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A tenant's own pace overrides the deployment's. Its warm-up slows messages, and with them first messages. */
export function paceRates(deployment: DeploymentPace, own: OwnPace = {}, age?: AccountAge): PaceRates {
  const sends = rateOf(deployment.sends, own.sendsPerMinute, minuteMs);
  const newContacts = rateOf(deployment.newContacts, own.newContactsPerHour, hourMs);
  const warmUp = own.warmUp == null || age === undefined ? undefined : warmUpDay(own.warmUp, sends, age);
  return warmUp === undefined ? { sends, newContacts } : { sends: warmUpRate(warmUp, sends ?? unlimited), newContacts, warmUp };
}

/** A warm-up grows towards the fastest pace that can be set if the full pace has no limit. */
const unlimited: Rate = { intervalMs: minuteMs / paceMost.sendsPerMinute, burst: paceMost.sendsPerMinute };

/** A tenant's burst is no larger than its own number per period. */
function rateOf({ count, burst }: SetPace, own: number | null | undefined, perMs: number): Rate | undefined {
  const most = own ?? count;
  if (most === 0) return undefined;
  return { intervalMs: perMs / most, burst: own == null ? burst : Math.min(burst, own) };
}
