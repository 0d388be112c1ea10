import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import type { Gateway } from "../harness/gateway.js";
import { TelegramSide } from "../harness/telegram-side.js";
import type { HappeningEntry } from "../sandbox/telegram/world/happenings.js";
import { checkSession, type Checked, type OnTime } from "./check.js";
import { gatherCrowd, setWebhook, type Member } from "./crowd.js";
import { keyOfRow } from "./event-key.js";
import { totalOf, type Findings } from "./findings.js";
import { People } from "./people.js";
import { Receiver } from "./receiver/receiver.js";

export interface GapSoakOptions {
  readonly sessions: number;
  readonly happeningMs: number;
  /** Average time between two happenings of an account. */
  readonly pauseMs: number;
  /** Average time between two faults, over all accounts. */
  readonly faultMs: number;
  /** Time after the last happening for everything to arrive. */
  readonly drainMs: number;
  readonly progress: (line: string) => void;
}

interface Case {
  readonly member: Member;
  readonly people: People;
  readonly times: readonly OnTime[];
}

/** Average time between two messages that the gateway sends for one account. */
const sendMs = 1_000;

/** Faults between the platform and the gateway. Each is armed for one account at a time. */
const troubles: readonly { readonly kind: string; readonly [field: string]: unknown }[] = [
  { kind: "drop" },
  { kind: "drop" },
  { kind: "drop", seconds: 1.5 },
  { kind: "gap" },
  { kind: "gap", seconds: 1 },
  { kind: "reorder", times: 3 },
  { kind: "duplicate", times: 3 },
  { kind: "updates-too-long" },
  { kind: "stall", seconds: 2 },
  { kind: "lost-ack", method: "updates.getDifference" },
  { kind: "lost-ack", method: "messages.sendMessage" },
  { kind: "error", method: "updates.getDifference", error: "500 RPC_CALL_FAIL" },
  { kind: "flood-wait", method: "updates.getDifference", seconds: 1 },
  { kind: "delay", method: "updates.getDifference", seconds: 0.5, times: 2 },
];

/**
 * People write, edit, delete and read while connections break and updates are lost, repeated or reordered. The events must match the
 * happenings exactly.
 */
export async function gapSoak(gateway: Gateway, options: GapSoakOptions, signal: AbortSignal): Promise<Findings> {
  const { sessions, happeningMs, pauseMs, faultMs, drainMs, progress } = options;
  // Every pause of every account adds a listener to the signal.
  setMaxListeners(0, signal);
  const side = new TelegramSide(gateway);
  const startedAt = Date.now();
  const token = "token-of-the-soak";
  const receiver = await Receiver.start({ ports: 1, maxFailures: 0, hangs: 0 }, () => [token]);
  try {
    const members = await gatherCrowd(gateway, sessions, signal);
    progress(`${members.length} sessions after ${seconds(startedAt)}`);
    const cases: Case[] = [];
    for (const member of members) {
      const { account } = member;
      const people = new People({ side, account, isSettled: ({ last }) => receiver.heardOf(account, last), random: Math.random });
      cases.push({ member, people, times: [{ from: await setWebhook(member, { url: receiver.url(account, 0), token }) }] });
    }
    const before = await side.calls("updates.getDifference");
    const endsAt = Date.now() + happeningMs;
    const faults: string[] = [];
    const trouble = async (): Promise<void> => {
      while (Date.now() < endsAt) {
        await sleep(faultMs * 2 * Math.random(), undefined, { signal });
        const fault = pick(troubles);
        faults.push(fault.kind);
        await side.fault({ account: pick(members).account, ...fault });
      }
    };
    const sends: Send[] = [];
    const lives = cases.map(async ({ people }) => {
      while (Date.now() < endsAt) {
        await people.act();
        await sleep(pauseMs * 2 * Math.random(), undefined, { signal });
      }
    });
    // The gateway's own messages advance the same counter as all others.
    const senders = cases.map(async ({ member, people }) => {
      while (Date.now() < endsAt) {
        await sleep(sendMs * 2 * Math.random(), undefined, { signal });
        sends.push(await sendOne(member, await people.correspondent(), `message ${randomUUID()} of the gateway`));
      }
    });
    await Promise.all([trouble(), ...lives]);
    await side.clearFaults();
    await Promise.all(senders);
    progress(`everything has happened after ${seconds(startedAt)}`);
    for (const { account, caller } of members) await eventually(`${account} connected`, async () => (await caller.record()).isConnected);

    const history = (account: string): Promise<HappeningEntry[]> =>
      side.docs(`/history?platform=telegram&account=${account}`) as unknown as Promise<HappeningEntry[]>;
    const histories = new Map(await Promise.all(members.map(async ({ account }) => [account, await history(account)] as const)));
    const check = (): Checked[] =>
      cases.map(({ member: { account }, times }) =>
        checkSession(account, receiver.arrivals.get(account) ?? [], histories.get(account) ?? [], times),
      );
    const drainEndsAt = Date.now() + drainMs;
    while (Date.now() < drainEndsAt && check().some(({ expected, delivered }) => delivered < expected))
      await sleep(500, undefined, { signal });
    const drainedAfter = seconds(startedAt);
    await sleep(2_000, undefined, { signal });
    const total = totalOf(check());
    const overlaps = ((await request(`${gateway.sandbox}/overlaps`)).body as { docs: unknown[] }).docs;
    const rows = [...histories.values()].flat();
    const count = (kind: HappeningEntry["kind"]): number => rows.filter((row) => row.kind === kind && keyOfRow(row) !== undefined).length;
    return {
      name: "gaps",
      rows: [
        ["sessions", sessions],
        ["written / edited / deleted / read", (["new", "edited", "deleted", "read"] as const).map(count).join(" / ")],
        ["reactions, which are no events", rows.filter(({ kind }) => kind === "reacted").length],
        ["messages of the gateway itself, which are none", rows.filter(({ own }) => own).length],
        ["  its answers", countsOf(sends.map(({ outcome }) => outcome))],
        ["  its slowest answer", `${(Math.max(0, ...sends.map(({ ms }) => ms)) / 1_000).toFixed(1)} s`],
        ["faults played", countsOf(faults)],
        ["differences asked for", (await side.calls("updates.getDifference")) - before],
        ["events that had to arrive", total.expected],
        ["events that arrived of these", total.delivered],
        ["requests at the receiver", total.attempts],
        ["  broken off before they could be answered", total.brokenOff],
        ["repeats, although nothing failed", total.repeats],
        ["accounts with two owners", overlaps.length],
        ["all delivered after", drainedAfter],
      ],
      violations: [
        ...receiver.faults,
        ...total.violations,
        ...checkSends(sends, histories),
        ...(total.repeats > 0 ? [`${total.repeats} repeats of accepted events`] : []),
        ...overlaps.map((overlap) => `two owners: ${JSON.stringify(overlap)}`),
      ],
    };
  } finally {
    await receiver.stop();
  }
}

interface Send {
  readonly account: string;
  /** Unique among all sends. */
  readonly text: string;
  /** Status, and the message of an error. */
  readonly outcome: string;
  readonly messageId?: string;
  readonly ms: number;
}

async function sendOne({ account, caller }: Member, user: string, text: string): Promise<Send> {
  const startedAt = performance.now();
  const { status, body } = await caller.send("POST", "/message", { user, type: "text", text });
  const { messageId, message } = body as { messageId?: string; message?: string };
  return {
    account,
    text,
    outcome: `${status} ${message ?? ""}`.trim(),
    ms: performance.now() - startedAt,
    ...(messageId !== undefined && { messageId }),
  };
}

/** Checks that a send with a returned id exists once under that id, and a rejected send at most once. */
function checkSends(sends: readonly Send[], histories: ReadonlyMap<string, readonly HappeningEntry[]>): string[] {
  return sends.flatMap(({ account, text, outcome, messageId }) => {
    const found = (histories.get(account) ?? []).flatMap((row) =>
      row.kind === "new" && row.own && row.text === text ? [row.messageId] : [],
    );
    if (found.length > 1) return [`${account}: sent ${found.length} times: ${text}`];
    if (messageId === undefined ? outcome.startsWith("200") : found[0] !== messageId)
      return [`${account}: answered ${outcome} ${messageId ?? ""}, but the platform has ${found[0] ?? "nothing"}: ${text}`];
    return [];
  });
}

function countsOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(", ");
}

function pick<T>(from: readonly T[]): T {
  const picked = from[Math.floor(Math.random() * from.length)];
  if (picked === undefined) throw new RangeError("nothing to pick from");
  return picked;
}

function seconds(since: number): string {
  return `${Math.round((Date.now() - since) / 1_000)} s`;
}
