import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import type { BareBaileys } from "../baseline/bare-baileys.js";
import { bareOn } from "../baseline/bare-on.js";
import { StoredLogins, type MadeLogin, type StoredLogin } from "../logins/stored-logins.js";
import { ShardProbe } from "../shard/shard-probe.js";
import { groupSizes } from "./group-sizes.js";

/** For each group size, a connected session of the gateway in one group, and a device of the bare library in another. */
export interface GroupSides {
  readonly sides: readonly { readonly members: number; readonly ours: StoredLogin; readonly bare: MadeLogin }[];
  /**
   * Sessions and devices in small groups of their own, to warm up both processes. The measurement then starts with compiled code and young
   * keys.
   */
  readonly warm: { readonly ours: readonly StoredLogin[]; readonly bare: readonly MadeLogin[] };
  /** Its clients are in the order of the sides, followed by the clients for the warm-up. */
  readonly baseline: BareBaileys;
  readonly probe: ShardProbe;
}

const connectedMs = 120_000;
/** The work after a connect is done by then. */
const settleMs = 5_000;
/** Several sessions at once, so that some thousand texts take seconds. */
const warmSessions = 4;
/** Groups of each session: enough that no key is used as often as that of an old group. */
const warmGroups = 4;

/** Measures both sides next to each other. Always ends the baseline. */
export async function besideBare<T>(gateway: Gateway, signal: AbortSignal, measure: (given: GroupSides) => Promise<T>): Promise<T> {
  const store = await StoredLogins.open(gateway);
  try {
    const sides: GroupSides["sides"][number][] = [];
    for (const members of groupSizes) {
      const wanted = { from: 0, count: 1, groups: 1, members: members - 1 };
      const [ours] = await store.addMade("whatsapp", { ...wanted, prefix: `group-of-${members}` });
      const [bare] = await store.make("whatsapp", { ...wanted, prefix: `bare-group-of-${members}` });
      if (ours === undefined || bare === undefined) throw new Error("the sandbox made no login");
      sides.push({ members, ours, bare });
    }
    const small = { from: 0, count: warmSessions, groups: warmGroups, members: Math.min(...groupSizes) - 1 };
    const warm = {
      ours: await store.addMade("whatsapp", { ...small, prefix: "warm" }),
      bare: await store.make("whatsapp", { ...small, prefix: "bare-warm" }),
    };
    const logins = { ours: [...sides.map(({ ours }) => ours), ...warm.ours], bare: [...sides.map(({ bare }) => bare), ...warm.bare] };
    const baseline = await bareOn(gateway, logins.bare, signal);
    try {
      const probe = new ShardProbe(gateway);
      await probe.restart();
      await store.connected(logins.ours, connectedMs, signal);
      await sleep(settleMs, undefined, { signal });
      return await measure({ sides, warm, baseline, probe });
    } finally {
      await baseline.stop();
    }
  } finally {
    store.close();
  }
}
