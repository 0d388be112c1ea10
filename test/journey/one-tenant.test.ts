import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { startHangingServer, type HangingServer } from "../harness/hanging-server.js";
import { metricOf, scrape } from "../harness/metrics.js";

/**
 * Some sessions of a shard queue thousands of sends for files that never arrive. Other sessions of the shard must not be slowed, and
 * nothing may stay behind.
 */
let hanging: HangingServer;
let gateway: Gateway;
beforeAll(async () => {
  hanging = await startHangingServer();
  gateway = await startGateway({ routers: 1, shards: 1, env: { DOWNLOAD_ALLOW: hanging.host } });
});
afterAll(async () => {
  await gateway.stop();
  await hanging.stop();
});

/** Connections of the attackers. */
const connections = new Agent({ keepAlive: true });
const attackers = 10;
const sendsEach = 250;
const waves = 50;
const others = 6;
const attackMs = 20_000;
const quietMs = 5_000;

it(`${attackers} sessions with ${sendsEach} hanging downloads each cost the others nothing`, async () => {
  const flooding = await Promise.all(Array.from({ length: attackers }, (_, i) => account(`flood-${i}`)));
  const calm = await Promise.all(Array.from({ length: others }, (_, i) => account(`calm-${i}`)));
  const [groups, floodedGroups] = await Promise.all([groupsOf(calm), groupsOf(flooding)]);
  const before = await watched(calm, groups, () => pause(quietMs));
  const gone = new AbortController();
  const outcomes = new Map<string, number>();
  let [downloads, refused] = [0, 0];
  let floods: Promise<unknown> = Promise.resolve();
  const during = await watched(calm, groups, async () => {
    const sends: Promise<void>[] = [];
    // Opens the connections in waves: 2,500 at once would stop this process, and on a busy machine the gateway, beyond a caller's
    // time-out.
    for (let wave = 0; wave < waves; wave += 1) {
      for (const [i, caller] of flooding.entries())
        for (let n = 0; n < sendsEach / waves; n += 1) sends.push(flood(caller, floodedGroups[i] ?? "", gone.signal, outcomes));
      await pause(100);
    }
    floods = Promise.all(sends);
    await pause(attackMs);
    [downloads, refused] = [
      hanging.open,
      metricOf(await scrape(shardPort()), "gateway_shard_commands_turned_away_total", 'reason="share"'),
    ];
  });
  const leftAt = performance.now();
  gone.abort();
  connections.destroy();
  await floods;
  let recoveredMs = 0;
  process.stdout.write(
    `hanging downloads ${downloads}, refused ${refused}, the attackers' answers ${JSON.stringify(Object.fromEntries(outcomes))}\n`,
  );
  const after = await watched(calm, groups, async () => {
    await eventually(
      "the commands that had not begun dropped",
      async () => metricOf(await scrape(shardPort()), "gateway_shard_commands_turned_away_total", 'reason="left"') > 0,
    );
    await eventually(
      "nothing left of the attack",
      async () => metricOf(await scrape(shardPort()), "gateway_shard_downloads_in_flight_downloads") === 0,
      150_000,
    );
    recoveredMs = performance.now() - leftAt;
  });
  process.stdout.write(
    `${JSON.stringify({ before: figures(before), during: figures(during), after: figures(after), attackersOutcomes: Object.fromEntries(outcomes), lastDownloadGoneMs: Math.round(recoveredMs) }, undefined, 1)}\n`,
  );
  // The attack works as intended: its downloads use separate places, and sends beyond the sessions' shares are rejected.
  expect([downloads, refused]).toEqual([expect.toSatisfy((count: number) => count > 0), expect.toSatisfy((count: number) => count > 0)]);
  for (const phase of [before, during, after]) expect(phase.filter(({ status }) => status !== 200)).toEqual([]);
  // The response at the limit has Retry-After, and no other request gets a 503.
  expect([...outcomes.keys()].filter((outcome) => outcome.startsWith("503"))).toEqual(["503 server busy, retry after 1"]);
  const members = await scrape(shardPort());
  expect(metricOf(members, "gateway_process_stray_rejections_total")).toBe(0);
}, 400_000);

interface Seen {
  readonly status: number;
  readonly ms: number;
  readonly message: string;
}

function shardPort(): number {
  return gateway.adminPorts[1] ?? 0;
}

async function account(name: string): Promise<Caller> {
  const body = JSON.stringify({ platform: "telegram", account: name, groups: 1, channels: 1, contacts: 1, members: 3 });
  await request(`${gateway.sandbox}/accounts`, { method: "POST", headers: { "content-type": "application/json" }, body });
  return loggedIn(gateway, name);
}

/** Returns one group of each account. */
function groupsOf(callers: readonly Caller[]): Promise<string[]> {
  return Promise.all(callers.map(async (caller) => ((await caller.get("/group")).body as { docs: { id: string }[] }).docs[0]?.id ?? ""));
}

async function flood(caller: Caller, group: string, gone: AbortSignal, outcomes: Map<string, number>): Promise<void> {
  const body = JSON.stringify({
    group,
    type: "document",
    document: { url: hanging.url, name: "a.pdf", size: 1, mimetype: "application/pdf" },
  });
  const headers = { id: caller.credentials.id, "session-id": caller.credentials.sessionId, "content-type": "application/json" };
  try {
    const response = await post(`${gateway.telegram[0] ?? ""}/message`, headers, body);
    outcomes.set(response, (outcomes.get(response) ?? 0) + 1);
  } catch (error) {
    if (!gone.aborted) outcomes.set(String(error), (outcomes.get(String(error)) ?? 0) + 1);
  }
}

/** Returns status, message and Retry-After. The request uses an agent whose end aborts it. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const sent = httpRequest(url, { method: "POST", agent: connections, headers: { ...headers, "content-length": Buffer.byteLength(body) } });
  const [response] = (await once(sent.end(body), "response")) as [IncomingMessage];
  sent.on("error", () => undefined);
  const { message = "" } = JSON.parse(await text(response)) as { message?: string };
  const again = response.headers["retry-after"];
  return `${response.statusCode ?? 0} ${message}${again === undefined ? "" : `, retry after ${again}`}`;
}

/** Measures the other sessions' calls while `meanwhile` runs: lists and texts, one after the other in each session. */
async function watched(calm: readonly Caller[], groups: readonly string[], meanwhile: () => Promise<void>): Promise<Seen[]> {
  const seen: Seen[] = [];
  let on = true;
  const work = Promise.all(
    calm.map(async (caller, index) => {
      for (let n = 0; on; n += 1) {
        const startedAt = performance.now();
        const call =
          n % 2 === 0 ? caller.get("/group") : caller.send("POST", "/message", { group: groups[index], type: "text", text: `text ${n}` });
        const { status, body } = await call;
        seen.push({ status, ms: performance.now() - startedAt, message: (body as { message?: string }).message ?? "" });
        await pause(100);
      }
    }),
  );
  try {
    await meanwhile();
  } finally {
    on = false;
  }
  await work;
  return seen;
}

function figures(seen: readonly Seen[]): object {
  const times = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (part: number): number => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0);
  return {
    requests: seen.length,
    errors: seen.filter(({ status }) => status !== 200).length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
