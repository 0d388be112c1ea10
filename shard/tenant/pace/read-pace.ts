import type { EnvReader } from "../../../shared/config/env.js";
import { paceMost } from "../../../shared/tenant/tenant-pace.js";
import type { DeploymentPace, SetPace } from "./pace-rates.js";

interface Setting {
  readonly name: string;
  readonly most: number;
  /** Default for live platforms. Platforms do not publish their limits, so it is what a diligent person might do. */
  readonly careful: number;
  readonly burst: number;
}

const sends: Setting = { name: "PACE_SENDS", most: paceMost.sendsPerMinute, careful: 30, burst: 10 };
const newContacts: Setting = { name: "PACE_NEW_CONTACTS", most: paceMost.newContactsPerHour, careful: 20, burst: 5 };

/** A configured value holds for every platform. Without one, only live platforms have a pace. */
export function readPace(env: EnvReader): (isLive: boolean) => DeploymentPace {
  const [sendsPace, newContactsPace] = [readOne(env, sends), readOne(env, newContacts)];
  return (isLive) => ({ sends: sendsPace(isLive), newContacts: newContactsPace(isLive) });
}

function readOne(env: EnvReader, { name, most, careful, burst: usual }: Setting): (isLive: boolean) => SetPace {
  const given = env.optional(name) === undefined ? undefined : env.integer(name, careful, { min: 0, max: most });
  const burst = env.integer(`${name}_BURST`, usual, { min: 1, max: 1_000 });
  return (isLive) => ({ count: given ?? (isLive ? careful : 0), burst });
}
