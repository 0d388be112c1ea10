import { startGateway, type Gateway } from "../../test/harness/gateway.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { Figure } from "../figure.js";
import { StoredLogins, type StoredLogin } from "../logins/stored-logins.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";

/** Measures how long sessions take to reconnect after a platform has refused all connections long enough for every pause to grow. */
export const outage: Scenario = {
  name: "outage",
  about: "sessions of each platform back after it has refused every connection for a minute",
  quick: "20 logins of each platform, refused for 5 s",
  gateway: parts(),
  async run(gateway, _load, signal, size) {
    const { count, seconds } = { full: { count: 300, seconds: 60 }, quick: { count: 20, seconds: 5 } }[size];
    const logins = await stored(gateway, count);
    await gateway.interrupt();
    const second = await startGateway({ ...parts(), from: gateway });
    const store = await eventually("the Redis of the second life", () => StoredLogins.open(second), redisMs);
    try {
      const figures: Figure[] = [];
      for (const platform of platforms) {
        await store.connected(logins[platform], connectMs, signal);
        figures.push(...(await refused(second, store, platform, logins[platform], seconds, signal)));
      }
      return {
        figures,
        notes: [`${count} stored logins of each platform in two shards; sandbox in load mode; one platform after the other`],
      };
    } finally {
      store.close();
      await second.interrupt();
    }
  },
};

function parts() {
  return { routers: 1, shards: 2, env: { SANDBOX_LOAD: "1" } };
}

const platforms = ["telegram", "whatsapp"] as const;
const connectMs = 300_000;
const redisMs = 60_000;
/** Gives the shards time to store that their sessions are disconnected. */
const noticedMs = 2_000;

async function stored(gateway: Gateway, count: number): Promise<Record<Platform, StoredLogin[]>> {
  const store = await StoredLogins.open(gateway);
  try {
    return { telegram: await store.add("telegram", count), whatsapp: await store.add("whatsapp", count) };
  } finally {
    store.close();
  }
}

async function refused(
  gateway: Gateway,
  store: StoredLogins,
  platform: Platform,
  logins: readonly StoredLogin[],
  seconds: number,
  signal: AbortSignal,
): Promise<Figure[]> {
  const startedAt = performance.now();
  await control(gateway, platform, "/faults", { kind: "drop", seconds });
  await new Promise((resolve) => setTimeout(resolve, noticedMs));
  const seen = await store.connected(logins, connectMs, signal);
  const since = (share: number): number => ((seen[Math.ceil(seen.length * share) - 1] ?? Number.NaN) - startedAt) / 1_000 - seconds;
  const figure = (what: string, share: number): Figure => ({
    what: `${platform}: from the end of the outage until ${what} are connected`,
    unit: "s",
    value: since(share),
    how: "by the stored states, looked at every 200 ms",
  });
  return [figure("half", 0.5), figure("99 %", 0.99), figure("all", 1)];
}
