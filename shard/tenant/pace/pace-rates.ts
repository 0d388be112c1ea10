import type { OwnPace } from "../../../shared/tenant/tenant-pace.js";
import type { Rate } from "./rate.js";

/** The rates at which one session may send; `undefined`: no limit. */
export interface PaceRates {
  /** Messages to any recipient. */
  readonly sends: Rate | undefined;
  /** First messages to people that the account has exchanged none with. */
  readonly newContacts: Rate | undefined;
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

/** A tenant's own pace overrides the deployment's. */
export function paceRates(deployment: DeploymentPace, own: OwnPace = {}): PaceRates {
  return {
    sends: rateOf(deployment.sends, own.sendsPerMinute, minuteMs),
    newContacts: rateOf(deployment.newContacts, own.newContactsPerHour, hourMs),
  };
}

/** A tenant's burst is no larger than its own number per period. */
function rateOf({ count, burst }: SetPace, own: number | null | undefined, perMs: number): Rate | undefined {
  const most = own ?? count;
  if (most === 0) return undefined;
  return { intervalMs: perMs / most, burst: own == null ? burst : Math.min(burst, own) };
}
