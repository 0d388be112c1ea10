import { setTimeout as sleep } from "node:timers/promises";
import { sendTimeoutMs } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { loggedIn, type Caller } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { distribution, type Figure } from "../figure.js";
import { gatewayRedis } from "../gateway-redis.js";
import { probing, type Latencies, type Probe } from "../load/prober.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";
import { inspectable, ShardProbe } from "../shard/shard-probe.js";

/** Bar of the largest address book. */
const firstBar = "first status to most contacts";
const messageBar = "p99 of another session's POST /message meanwhile, by quiet";

/**
 * Sends statuses to hundreds and thousands of recipients, and probes other commands meanwhile and in silence. The first status prepares
 * keys for every recipient. `BENCH_PROFILE=<file>` profiles the shard during the largest first status.
 */
export const whatsappStatus: Scenario = {
  name: "whatsapp-status",
  about: "POST /status to hundreds and thousands of contacts, and other commands of the shard meanwhile",
  bars: [
    { name: firstBar, unit: "s", limit: { atMost: 10 } },
    { name: messageBar, unit: "", limit: { atMost: 2 } },
  ],
  quick: "200 and 1,000 contacts",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, _load, signal, size) {
    const probe = new ShardProbe(gateway);
    const writer = await loggedIn(gateway, "bob", "whatsapp");
    const reader = await loggedIn(gateway, "carol", "whatsapp");
    const figures: Figure[] = [];
    let values: Record<string, number> = {};
    for (const audience of audiences[size]) {
      const author = await authorWith(gateway, audience);
      const probes = probesOf(author, writer, reader);
      const quiet = await probing(probes, () => sleep(quietMs, undefined, { signal }));
      const profile = audience === Math.max(...audiences[size]) ? process.env["BENCH_PROFILE"] : undefined;
      const post = (): Promise<Posted> => posted(probe, probes, author);
      const first = profile === undefined ? await post() : await probe.profiled(profile, post);
      const following: Posted[] = [];
      for (let n = 0; n < followingCount; n++) following.push(await post());
      const p99 = (latencies: Latencies): number => distribution(latencies.get(messageProbe) ?? []).p99;
      values = { [firstBar]: first.seconds, [messageBar]: p99(first.latencies) / p99(quiet.latencies) };
      const to = `to ${audience} contacts`;
      figures.push(
        { what: `first status ${to}`, unit: "s", value: first.seconds, how: "from POST /status to its answer, with the probes at work" },
        {
          what: `following status ${to}`,
          unit: "s",
          value: { rounds: following.map(({ seconds }) => seconds) },
          how: `${followingCount} one after the other`,
        },
        { what: `shard CPU of the first status ${to}`, unit: "CPU s", value: first.cpuSeconds, how: "the probes' share included" },
        {
          what: `shard CPU of a following status ${to}`,
          unit: "CPU s",
          value: { rounds: following.map(({ cpuSeconds }) => cpuSeconds) },
          how: "likewise",
        },
        {
          what: `longest block of the event loop, first status ${to}`,
          unit: "ms",
          value: first.longestBlockMs,
          how: "Node's own histogram in the shard",
        },
        {
          what: `longest block of the event loop, following status ${to}`,
          unit: "ms",
          value: Math.max(...following.map(({ longestBlockMs }) => longestBlockMs)),
          how: "likewise",
        },
      );
      for (const { what } of probes) {
        figures.push(
          {
            what: `${what}, quiet, account with ${audience} contacts`,
            unit: "ms",
            value: { samples: quiet.latencies.get(what) ?? [] },
            how: `${quietMs / 1000} s without a status`,
          },
          {
            what: `${what}, during the first status ${to}`,
            unit: "ms",
            value: { samples: first.latencies.get(what) ?? [] },
            how: "one at a time, 200 ms apart",
          },
          {
            what: `${what}, during following statuses ${to}`,
            unit: "ms",
            value: { samples: following.flatMap(({ latencies }) => [...(latencies.get(what) ?? [])]) },
            how: "likewise",
          },
        );
      }
    }
    return {
      figures,
      values,
      notes: [
        "three sessions in one shard, sandbox in load mode (it decrypts nothing)",
        "values of several statuses are the median (least–most)",
      ],
    };
  },
};

const messageProbe = "POST /message of another session";
/** Ascending, because the last one is judged. */
const audiences = { full: [500, 5_000], quick: [200, 1_000] };
const followingCount = 3;
const quietMs = 5_000;
/** The address book arrives some seconds after the login. */
const bookMs = 60_000;

interface Posted {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly longestBlockMs: number;
  readonly latencies: Latencies;
}

async function posted(shard: ShardProbe, probes: readonly Probe[], author: Caller): Promise<Posted> {
  const before = await shard.usage();
  const { result: seconds, latencies } = await probing(probes, async () => {
    const startedAt = performance.now();
    const response = await fetch(`${author.gateway.whatsapp[0] ?? ""}/status`, {
      method: "POST",
      headers: { id: author.credentials.id, "session-id": author.credentials.sessionId, "content-type": "application/json" },
      body: JSON.stringify({ type: "text", text: "Good morning" }),
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    if (response.status !== 200) throw new Error(`POST /status: ${response.status} ${await response.text()}`);
    return (performance.now() - startedAt) / 1000;
  });
  const after = await shard.usage();
  return { seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds, longestBlockMs: after.longestBlockMs, latencies };
}

function probesOf(author: Caller, writer: Caller, reader: Caller): Probe[] {
  const phone = "491709999001";
  const typing = (caller: Caller) => () => caller.send("POST", "/typing", { phone, type: "text" });
  return [
    { what: "GET /session of the same session", call: () => author.get("/session") },
    { what: "POST /typing of the same session", call: typing(author) },
    { what: "GET /group of the same session", call: () => author.get("/group") },
    { what: "POST /typing of another session", call: typing(reader) },
    { what: "GET /group of another session", call: () => reader.get("/group") },
    { what: messageProbe, call: () => writer.send("POST", "/message", { phone, type: "text", text: "Hello" }) },
  ];
}

/** Logs in a session with this many contacts, which the shard already knows. */
async function authorWith(gateway: Gateway, contacts: number): Promise<Caller> {
  const account = `author-${contacts}`;
  await control(gateway, "whatsapp", "/accounts", { account, contacts, groups: 2, channels: 0 });
  const author = await loggedIn(gateway, account, "whatsapp");
  const { id } = author.credentials;
  if (!isSessionId(id)) throw new Error("not a session id");
  const redis = await gatewayRedis(gateway);
  try {
    await eventually("the address book", async () => (await redis.hlen(keys.peers(id))) >= contacts, bookMs);
  } finally {
    redis.disconnect();
  }
  // Work that follows the login must not be measured.
  await sleep(2_000);
  return author;
}
