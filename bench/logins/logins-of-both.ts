import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { ShardProbe } from "../shard/shard-probe.js";
import type { StoredLogin, StoredLogins } from "./stored-logins.js";

export interface LoginsOfBoth {
  readonly logins: Readonly<Record<Platform, StoredLogin[]>>;
  readonly probe: ShardProbe;
}

/** Links this many sessions of each platform in the only shard. Resolves when all have been connected for a while. */
export async function loginsOfBoth(gateway: Gateway, store: StoredLogins, count: number, signal: AbortSignal): Promise<LoginsOfBoth> {
  const logins = { telegram: await store.add("telegram", count), whatsapp: await store.add("whatsapp", count) };
  const probe = new ShardProbe(gateway);
  await probe.restart();
  await store.connected([...logins.telegram, ...logins.whatsapp], connectedMs, signal);
  await sleep(settleMs, undefined, { signal });
  return { logins, probe };
}

const connectedMs = 120_000;
const settleMs = 3_000;
