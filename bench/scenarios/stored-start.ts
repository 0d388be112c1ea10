import { loadavg } from "node:os";
import { eventually } from "../../test/harness/eventually.js";
import { startGateway, type Gateway } from "../../test/harness/gateway.js";
import { BusyProcesses } from "../busy/busy-processes.js";
import { StoredLogins, type StoredLogin } from "../logins/stored-logins.js";
import { metricOf, scrape } from "../metrics.js";
import type { Scenario } from "../scenario.js";

/**
 * Measures a start with stored sessions on an overloaded machine. A supervisor that takes slow for stuck would kill and restart its
 * processes for ever. The first gateway only writes the logins; the second start is measured.
 */
export const storedStart: Scenario = {
  name: "stored-start",
  about: "a start with stored logins of both platforms while 8 busy processes keep the machine at work",
  quick: "40 logins, the machine kept at work for 5 s",
  gateway: parts(),
  async run(gateway, _load, signal, size) {
    const { count, busySeconds } = { full: { count: 600, busySeconds: 60 }, quick: { count: 40, busySeconds: 5 } }[size];
    const logins = await stored(gateway, count);
    await gateway.interrupt();
    const busy = await BusyProcesses.start(busyProcesses, signal);
    try {
      const startedAt = performance.now();
      const since = (at = Number.NaN): number => (at - startedAt) / 1000;
      const starting = startGateway({ ...parts(), from: gateway, readyMs: startMs });
      try {
        const [connectedAt, second] = await Promise.all([whenConnected(gateway, logins, signal), starting, busy.work(busySeconds)]);
        const share = (q: number): number => since(connectedAt[Math.ceil(count * q) - 1]);
        const supervisor = await scrape((second.adminPorts.at(-1) ?? 0) + 1);
        const ends = (end: string): number => metricOf(supervisor, "gateway_supervisor_child_ends_total", `end="${end}"`);
        return {
          figures: [
            {
              what: "start until ready",
              unit: "s",
              value: since(second.readyAt),
              how: "from the supervisor's start until it says that every process is ready",
            },
            { what: "start until half are connected", unit: "s", value: share(0.5), how: "by the stored states" },
            { what: "start until 90 % are connected", unit: "s", value: share(0.9), how: "likewise" },
            { what: "start until all are connected", unit: "s", value: share(1), how: "likewise" },
            {
              what: "children killed as hung",
              unit: "",
              value: ends("hung"),
              how: "the supervisor's own count, until all were connected and the busy processes had ended",
            },
            { what: "children that ended by a signal", unit: "", value: ends("killed"), how: "likewise; each was started again" },
            { what: "children that ended by themselves", unit: "", value: ends("exited"), how: "likewise" },
            {
              what: "children up at the end",
              unit: "",
              value: metricOf(supervisor, "gateway_supervisor_children_up"),
              how: "of four: the sandbox, two shards, a router",
            },
            { what: "ends of a Redis", unit: "", value: metricOf(supervisor, "gateway_supervisor_redis_ends_total"), how: "likewise" },
            { what: "load average of the last minute", unit: "", value: loadavg()[0] ?? Number.NaN, how: "at the end" },
          ],
          notes: [
            `${count} stored logins, half of each platform; sandbox in load mode`,
            `${busyProcesses} processes compute without a pause for ${busySeconds} s from the start on`,
          ],
        };
      } finally {
        // The scenario may fail for another reason while the second gateway still starts.
        await starting.then(
          (second) => second.interrupt(),
          () => undefined,
        );
      }
    } finally {
      await busy.stop();
    }
  },
};

function parts() {
  return { routers: 1, shards: 2, env: { SANDBOX_LOAD: "1" } };
}

const busyProcesses = 8;
const startMs = 300_000;
const connectMs = 600_000;
/** Redis is the first process of a start. */
const redisMs = 60_000;

/** Writes the logins. Shards only find sessions in slots that they acquire, so these stay unchanged until the second start. */
async function stored(gateway: Gateway, count: number): Promise<StoredLogin[]> {
  const store = await StoredLogins.open(gateway);
  try {
    return [...(await store.add("telegram", count / 2)), ...(await store.add("whatsapp", count / 2))];
  } finally {
    store.close();
  }
}

/** Returns when each session was first seen connected. Polls from the moment when Redis of the second start responds. */
async function whenConnected(gateway: Gateway, logins: readonly StoredLogin[], signal: AbortSignal): Promise<number[]> {
  const store = await eventually("the Redis of the second life", () => StoredLogins.open(gateway), redisMs);
  try {
    return await store.connected(logins, connectMs, signal);
  } finally {
    store.close();
  }
}
