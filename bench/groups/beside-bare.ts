import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import type { BareBaileys } from "../baseline/bare-baileys.js";
import { bareOn } from "../baseline/bare-on.js";
import { StoredLogins, type MadeLogin, type StoredLogin } from "../logins/stored-logins.js";
import { ShardProbe } from "../shard/shard-probe.js";
import { groupSizes } from "./group-sizes.js";

/** For each size of a group a session of the gateway in one of it, connected, and a device of the bare library in another one. */
export interface GroupSides {
  readonly sides: readonly { readonly members: number; readonly ours: StoredLogin; readonly bare: MadeLogin }[];
  /** Sessions and devices in small groups of their own, with which either process is warmed up: what is measured begins with compiled code and young keys. */
  readonly warm: { readonly ours: readonly StoredLogin[]; readonly bare: readonly MadeLogin[] };
  /** Its clients are in the order of the sides, those to warm it up behind them. */
  readonly baseline: BareBaileys;
  readonly probe: ShardProbe;
}

const connectedMs = 120_000;
/** What follows a connect is over by then. */
const settleMs = 5_000;
/** At work at once, so that some thousand texts are a matter of seconds. */
const warmSessions = 4;
/** Of each: no key of either side is used so often that it is one of an old group. */
const warmGroups = 4;

/** Has both sides measured beside each other, and ends the baseline however that went. */
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
