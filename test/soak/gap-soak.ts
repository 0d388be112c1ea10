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
import { Receiver } from "./receiver.js";

export interface GapSoakOptions {
  readonly sessions: number;
  readonly happeningMs: number;
  /** Between two happenings of an account, on average. */
  readonly pauseMs: number;
  /** Between two faults, on average over all accounts. */
  readonly faultMs: number;
  /** After the last happening, for everything to arrive. */
  readonly drainMs: number;
  readonly progress: (line: string) => void;
}

interface Case {
  readonly member: Member;
  readonly people: People;
  readonly times: readonly OnTime[];
}

/** What goes wrong on the way from the platform: each is armed for one account at a time. */
const troubles: readonly object[] = [
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

/** People write, edit, delete and read while connections break and updates go missing, come twice or in the wrong order. The events must be what happened, exactly. */
export async function gapSoak(gateway: Gateway, options: GapSoakOptions, signal: AbortSignal): Promise<Findings> {
  const { sessions, happeningMs, pauseMs, faultMs, drainMs, progress } = options;
  // Every pause of every account waits for it.
  setMaxListeners(0, signal);
  const side = new TelegramSide(gateway);
  const startedAt = Date.now();
  const token = "token-of-the-soak";
  const receiver = new Receiver(() => [token], () => "ok");
  await receiver.start(1);
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
    const faults = new Map<string, number>();
    const trouble = async (): Promise<void> => {
      while (Date.now() < endsAt) {
        await sleep(faultMs * 2 * Math.random(), undefined, { signal });
        const fault = pick(troubles);
        const { kind } = fault as { kind: string };
        faults.set(kind, (faults.get(kind) ?? 0) + 1);
        await side.fault({ account: pick(members).account, ...fault });
      }
    };
    const sent = new Map<string, number>();
    const lives = cases.map(async ({ member, people }) => {
      while (Date.now() < endsAt) {
        await people.act();
        // The gateway's own messages count in the same row as everybody else's.
        if (Math.random() < 0.1) {
          const answer = await member.caller.send("POST", "/message", { user: "6500000001", type: "text", text: `from the gateway ${Math.random()}` });
          const outcome = answer.status === 200 ? "200" : `${answer.status} ${(answer.body as { message?: string }).message ?? ""}`;
          sent.set(outcome, (sent.get(outcome) ?? 0) + 1);
        }
        await sleep(pauseMs * 2 * Math.random(), undefined, { signal });
      }
    });
    await Promise.all([trouble(), ...lives]);
    await side.clearFaults();
    progress(`everything has happened after ${seconds(startedAt)}`);
    for (const { account, caller } of members) await eventually(`${account} connected`, async () => (await caller.record()).isConnected, 60_000);

    const history = (account: string): Promise<HappeningEntry[]> => side.docs(`/history?platform=telegram&account=${account}`) as unknown as Promise<HappeningEntry[]>;
    const histories = new Map(await Promise.all(members.map(async ({ account }) => [account, await history(account)] as const)));
    const check = (): Checked[] => cases.map(({ member: { account }, times }) => checkSession(account, receiver.arrivals.get(account) ?? [], histories.get(account) ?? [], times));
    const drainEndsAt = Date.now() + drainMs;
    while (Date.now() < drainEndsAt && check().some(({ expected, delivered }) => delivered < expected)) await sleep(500, undefined, { signal });
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
        ["  its answers", [...sent].map(([outcome, times]) => `${outcome}: ${times}`).join(", ")],
        ["faults played", [...faults].map(([kind, times]) => `${kind} ${times}`).join(", ")],
        ["differences asked for", (await side.calls("updates.getDifference")) - before],
        ["events that had to arrive", total.expected],
        ["events that arrived of these", total.delivered],
        ["requests at the receiver", total.attempts],
        ["repeats, although nothing failed", total.repeats],
        ["accounts with two owners", overlaps.length],
        ["all delivered after", drainedAfter],
      ],
      violations: [
        ...receiver.faults,
        ...total.violations,
        ...(total.repeats > 0 ? [`${total.repeats} repeats of accepted events`] : []),
        ...overlaps.map((overlap) => `two owners: ${JSON.stringify(overlap)}`),
      ],
    };
  } finally {
    await receiver.down();
  }
}

function pick<T>(from: readonly T[]): T {
  const picked = from[Math.floor(Math.random() * from.length)];
  if (picked === undefined) throw new RangeError("nothing to pick from");
  return picked;
}

function seconds(since: number): string {
  return `${Math.round((Date.now() - since) / 1_000)} s`;
}
