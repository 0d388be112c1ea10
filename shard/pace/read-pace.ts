import type { EnvReader } from "../../shared/config/env.js";
import type { Rate } from "./rate.js";

/** At which pace one session may send; `undefined`: at any. */
export interface PaceRates {
  /** Messages to anybody. */
  readonly sends: Rate | undefined;
  /** First messages to people with whom it has exchanged none. */
  readonly newContacts: Rate | undefined;
}

interface Setting {
  readonly name: string;
  /** In which so many may happen. */
  readonly perMs: number;
  readonly most: number;
  /** What live platforms have where nothing is set: no platform tells its limits, so it is what a diligent person might do. */
  readonly careful: number;
  readonly burst: number;
}

const sends: Setting = { name: "PACE_SENDS", perMs: 60_000, most: 6_000, careful: 30, burst: 10 };
const newContacts: Setting = { name: "PACE_NEW_CONTACTS", perMs: 3_600_000, most: 3_600, careful: 20, burst: 5 };

/** What was set holds for every platform. Where nothing was, servers of one's own have no pace. */
export function readPace(env: EnvReader): (isLive: boolean) => PaceRates {
  const [sendsRate, newContactsRate] = [readRate(env, sends), readRate(env, newContacts)];
  return (isLive) => ({ sends: sendsRate(isLive), newContacts: newContactsRate(isLive) });
}

function readRate(env: EnvReader, { name, perMs, most, careful, burst }: Setting): (isLive: boolean) => Rate | undefined {
  const given = env.optional(name) === undefined ? undefined : env.integer(name, careful, { min: 0, max: most });
  const atOnce = env.integer(`${name}_BURST`, burst, { min: 1, max: 1_000 });
  if (given === 0 && env.optional(`${name}_BURST`) !== undefined)
    env.refuse(`${name}_BURST`, `is of no use where ${name} is 0, which is no pace at all`);
  return (isLive) => {
    const count = given ?? (isLive ? careful : 0);
    return count === 0 ? undefined : { intervalMs: perMs / count, burst: atOnce };
  };
}
