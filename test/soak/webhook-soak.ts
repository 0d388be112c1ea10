import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../harness/gateway.js";
import { request } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { TelegramSide } from "../harness/telegram-side.js";
import type { HappeningEntry } from "../sandbox/telegram/world/happenings.js";
import { checkSession, type OnTime } from "./check.js";
import { gatherCrowd, setWebhook, type Member } from "./crowd.js";
import { totalOf, type Findings } from "./findings.js";
import { keyOfRow } from "./event-key.js";
import { People } from "./people.js";
import type { Behaviour } from "./receiver/arrival.js";
import { Receiver } from "./receiver/receiver.js";

export interface WebhookSoakOptions {
  readonly sessions: number;
  /** Events per session. */
  readonly events: number;
  /** Time in ms over which the events happen. */
  readonly happeningMs: number;
  /** Time in ms for which the receiver is down. */
  readonly downMs: number;
  /** Number of times that shard-1 is killed. */
  readonly kills: number;
  /** Maximum number of attempts per event that the receiver fails on purpose. */
  readonly maxFailures: number;
  /** Share of the attempts that hang for 10 s each. */
  readonly hangs: number;
  /** Time after the last happening for everything to arrive. */
  readonly drainMs: number;
  readonly progress: (line: string) => void;
}

/** How each session's owner changes the webhook meanwhile. */
const roles = ["always", "always", "always", "always", "always", "always", "late", "off", "off-and-on", "moves"] as const;
type Role = (typeof roles)[number];

interface Case {
  readonly member: Member;
  readonly role: Role;
  readonly people: People;
  readonly times: OnTime[];
  tokens: string[];
}

const ports = 4;
/** Pause around a change of settings, so that the shard knows everything that happened before. */
const quietMs = 2_000;

/**
 * Many sessions send events to a receiver that fails, redirects, resets, hangs and is down for a while; a shard dies, and owners turn
 * webhooks on late, off, or move them. Compares the requests with what happened at the platform.
 */
export async function webhookSoak(gateway: Gateway, options: WebhookSoakOptions, signal: AbortSignal): Promise<Findings> {
  const { sessions, events, happeningMs, progress } = options;
  // Every pause of every account adds a listener to the signal.
  setMaxListeners(0, signal);
  const side = new TelegramSide(gateway);
  const startedAt = Date.now();
  const tokens = new Map<string, readonly string[]>();
  const receiver = await Receiver.start(
    { ports, maxFailures: options.maxFailures, hangs: options.hangs },
    (name) => tokens.get(name) ?? [],
  );
  try {
    const members = await gatherCrowd(gateway, sessions, signal);
    progress(`${members.length} sessions after ${seconds(startedAt)}`);
    const cases = members.map((member, i): Case => {
      const { account } = member;
      const people = new People({ side, account, isSettled: ({ last }) => receiver.heardOf(account, last), random: Math.random });
      return { member, role: roles[i % roles.length] ?? "always", people, times: [], tokens: [] };
    });
    const point = async (one: Case, port: number): Promise<{ asked: number; answered: number }> => {
      const token = `token-${one.tokens.length}-of-${one.member.account}`;
      // A request with the previous token may be in flight.
      one.tokens = [...one.tokens.slice(-1), token];
      tokens.set(one.member.account, one.tokens);
      return await setWebhook(one.member, { url: receiver.url(one.member.account, port), token });
    };
    for (const [i, one] of cases.entries()) if (one.role !== "late") one.times.push({ from: await point(one, i) });
    await sleep(quietMs, undefined, { signal });

    const happensAt = Date.now();
    const deaths = inMiddle(options.kills, happeningMs).map((ms) =>
      sleep(ms, undefined, { signal }).then(() => killShard(gateway, progress)),
    );
    const outage = sleep(happeningMs * 0.15, undefined, { signal }).then(async () => {
      progress("the receiver goes");
      await receiver.down();
      await sleep(options.downMs, undefined, { signal });
      await receiver.up();
      progress("the receiver is back");
    });
    const lives = cases.map(async (one, i) => {
      const pauseMs = happeningMs / events;
      const changeAt = Math.floor(events * 0.3);
      for (let n = 0; n < events; n++) {
        signal.throwIfAborted();
        if (n === changeAt && one.role !== "always") await change(one, i, point, signal);
        await one.people.act();
        const ahead = happensAt + (n + 1) * pauseMs * (0.9 + 0.2 * Math.random()) - Date.now();
        if (ahead > 0) await sleep(ahead, undefined, { signal });
      }
    });
    await Promise.all([...lives, ...deaths, outage]);
    progress(`everything has happened after ${seconds(startedAt)}`);

    const history = (account: string): Promise<HappeningEntry[]> =>
      side.docs(`/history?platform=telegram&account=${account}`) as unknown as Promise<HappeningEntry[]>;
    const histories = new Map(await Promise.all(cases.map(async ({ member: { account } }) => [account, await history(account)] as const)));
    await drained(cases, histories, receiver, options, signal);
    const drainedAfter = seconds(startedAt);
    // Leaves time for requests that should not arrive.
    await sleep(quietMs, undefined, { signal });
    const checks = cases.map(({ member: { account }, times }) =>
      checkSession(account, receiver.arrivals.get(account) ?? [], histories.get(account) ?? [], times),
    );
    const total = totalOf(checks);
    const overlaps = ((await request(`${gateway.sandbox}/overlaps`)).body as { docs: unknown[] }).docs;
    const happened = [...histories.values()].flat().filter((row) => keyOfRow(row) !== undefined).length;
    const answered = [...receiver.arrivals.values()].flat().filter(({ brokenOff }) => !brokenOff);
    const count = (behaviour: Behaviour): number => answered.filter((arrival) => arrival.behaviour === behaviour).length;
    return {
      name: "webhooks",
      rows: [
        ["sessions", sessions],
        ["happenings in private chats", happened],
        ["events that had to arrive", total.expected],
        ["events that arrived of these", total.delivered],
        ["requests that reached the receiver", total.attempts],
        ["  answered 204 / 500 / 302", `${count("ok")} / ${count("error")} / ${count("redirect")}`],
        ["  closed without an answer / left hanging", `${count("reset")} / ${count("hang")}`],
        ["  broken off before they could be answered", total.brokenOff],
        ["repeats, byte-equal under the same id", total.repeats],
        ["  of them after a 2xx", total.acceptedAgain],
        ["receiver gone for", `${options.downMs / 1_000} s`],
        ["deaths of shard-1", options.kills],
        [
          "webhooks turned on late / off / off and on / moved",
          (["late", "off", "off-and-on", "moves"] as const).map((role) => cases.filter((one) => one.role === role).length).join(" / "),
        ],
        ["accounts with two owners", overlaps.length],
        ["all delivered after", drainedAfter],
      ],
      violations: [...receiver.faults, ...total.violations, ...overlaps.map((overlap) => `two owners: ${JSON.stringify(overlap)}`)],
    };
  } finally {
    await receiver.stop();
  }
}

async function change(
  one: Case,
  index: number,
  point: (one: Case, port: number) => Promise<{ asked: number; answered: number }>,
  signal: AbortSignal,
): Promise<void> {
  await sleep(quietMs, undefined, { signal });
  await eventually(`${one.member.account} connected`, async () => (await one.member.caller.record()).isConnected);
  if (one.role === "off" || one.role === "off-and-on") {
    const [open] = one.times.splice(-1);
    if (open !== undefined) one.times.push({ ...open, to: await setWebhook(one.member, { url: "", token: "" }) });
  }
  if (one.role === "off-and-on") {
    // These happenings must not be delivered.
    for (let n = 0; n < 5; n++) await one.people.write();
    await sleep(quietMs, undefined, { signal });
  }
  if (one.role === "late" || one.role === "off-and-on") one.times.push({ from: await point(one, index) });
  if (one.role === "moves") await point(one, index + 1);
}

async function killShard(gateway: Gateway, progress: (line: string) => void): Promise<void> {
  const pid = await gateway.shardPid("shard-1");
  process.kill(pid, "SIGKILL");
  progress("shard-1 dies");
  await eventually("shard-1 back", async () => (await gateway.shardPid("shard-1")) !== pid);
}

/** Resolves when everything required was accepted, or on timeout; the check then lists what is missing. */
async function drained(
  cases: readonly Case[],
  histories: ReadonlyMap<string, readonly HappeningEntry[]>,
  receiver: Receiver,
  { drainMs, progress }: WebhookSoakOptions,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = Date.now() + drainMs;
  for (let round = 0; Date.now() < endsAt; round++) {
    let missing = 0;
    for (const { member, times } of cases) {
      const checked = checkSession(member.account, receiver.arrivals.get(member.account) ?? [], histories.get(member.account) ?? [], times);
      missing += checked.expected - checked.delivered;
    }
    if (missing === 0) return;
    if (round % 10 === 0) progress(`${missing} events are on their way`);
    await sleep(1_000, undefined, { signal });
  }
}

/** Returns moments that divide a time into equal parts. */
function inMiddle(count: number, ms: number): number[] {
  return Array.from({ length: count }, (_, i) => (ms * (i + 1)) / (count + 1) + ms * 0.08);
}

function seconds(since: number): string {
  return `${Math.round((Date.now() - since) / 1_000)} s`;
}
