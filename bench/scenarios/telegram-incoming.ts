import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import type { Figure } from "../figure.js";
import { StoredLogins, type StoredLogin } from "../logins/stored-logins.js";
import { metricOf } from "../metrics.js";
import { setWebhooks } from "../receiver/set-webhooks.js";
import { Receiver } from "../receiver/receiver.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";
import { cpuShare, inspectable, ShardProbe } from "../shard/shard-probe.js";

/**
 * Measures incoming events a second of one shard. Senders stay at most one window ahead of the output: the webhook receiver or, without
 * webhooks, the shard's own count of events.
 */
export const telegramIncoming: Scenario = {
  name: "telegram-incoming",
  about: "messages from people to Telegram sessions, with webhooks and without, one shard",
  quick: "2 rounds of 2,000 messages",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, _load, signal, size) {
    const { rounds, roundEvents } = sizes[size];
    const count = sessionCount;
    const store = await StoredLogins.open(gateway);
    try {
      const logins = await store.add("telegram", count, { contacts });
      const probe = new ShardProbe(gateway);
      await probe.restart();
      await store.connected(logins, 120_000, signal);
      await sleep(settleMs, undefined, { signal });
      const world = { gateway, probe, logins, signal };
      const off: Round[] = [];
      const on: Round[] = [];
      // The first messages introduce the people to the sessions.
      await incoming(world, windowEvents, async () => await takenIn(probe));
      for (let round = 0; round < rounds; round++) off.push(await incoming(world, roundEvents, async () => await takenIn(probe)));
      const receiver = await Receiver.start(signal);
      try {
        await setWebhooks(logins, { url: receiver.url, token: "token-of-the-benchmark" });
        await incoming(world, windowEvents, async () => (await receiver.received()).events);
        const before = await receiver.received();
        for (let round = 0; round < rounds; round++)
          on.push(await incoming(world, roundEvents, async () => (await receiver.received()).events));
        const after = await receiver.received();
        const repeats = after.requests - before.requests - (after.events - before.events);
        await setWebhooks(logins, { url: "", token: "" });
        const how = `${rounds} rounds of ${roundEvents} messages to ${count} sessions`;
        return {
          figures: [
            ...figuresOf("with webhooks", on, `${how}, until all were at the receiver`),
            { what: "webhooks that came twice", unit: "", value: repeats, how: "requests at the receiver less different events" },
            ...figuresOf("without webhooks", off, `${how}, until the shard had counted all`),
          ],
          notes: [
            `at most ${windowEvents} events under way`,
            "sandbox, router, Redis, receiver and shard share the machine's cores",
            "values over rounds are the median (least–most)",
          ],
        };
      } finally {
        await receiver.stop();
      }
    } finally {
      store.close();
    }
  },
};

const sessionCount = 100;
const contacts = 3;
const sizes = { full: { rounds: 3, roundEvents: 5_000 }, quick: { rounds: 2, roundEvents: 2_000 } };
/** Limit for messages that were written but have not come out yet. */
const windowEvents = 1_000;
const batchEvents = 500;
const settleMs = 3_000;
const pollMs = 100;
const stuckMs = 60_000;

interface World {
  readonly gateway: Gateway;
  readonly probe: ShardProbe;
  readonly logins: readonly StoredLogin[];
  readonly signal: AbortSignal;
}

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly cpuShare: number;
  readonly longestBlockMs: number;
}

/** `seen` counts the output. Rejects after a minute without further output. */
async function incoming({ gateway, probe, logins, signal }: World, events: number, seen: () => Promise<number>): Promise<Round> {
  const seenBefore = await seen();
  const before = await probe.usage();
  let written = 0;
  let out = 0;
  let movedAt = performance.now();
  while (out < events) {
    signal.throwIfAborted();
    if (written < events && written - out <= windowEvents - batchEvents) {
      const messages = Math.min(batchEvents, events - written);
      await control(gateway, "telegram", "/load/incoming", { prefix: "load", accounts: logins.length, messages });
      written += messages;
    } else {
      await sleep(pollMs, undefined, { signal });
    }
    const now = (await seen()) - seenBefore;
    if (now > out) movedAt = performance.now();
    out = now;
    if (performance.now() - movedAt > stuckMs) throw new Error(`${out} of ${written} events came out, and no more`);
  }
  const after = await probe.usage();
  return {
    perSecond: (events * 1000) / (after.at - before.at),
    cpuMs: ((after.cpuSeconds - before.cpuSeconds) * 1000) / events,
    cpuShare: cpuShare(before, after),
    longestBlockMs: after.longestBlockMs,
  };
}

async function takenIn(probe: ShardProbe): Promise<number> {
  return metricOf((await probe.usage()).text, "gateway_shard_telegram_updates_total", 'outcome="applied"');
}

function figuresOf(what: string, all: readonly Round[], how: string): Figure[] {
  const over = (read: (round: Round) => number): Figure["value"] => ({ rounds: all.map(read) });
  return [
    { what: `events ${what}`, unit: "1/s", value: over(({ perSecond }) => perSecond), how },
    {
      what: `shard CPU of an event ${what}`,
      unit: "CPU ms",
      value: over(({ cpuMs }) => cpuMs),
      how: "CPU of the shard's process by messages",
    },
    {
      what: `shard ${what}`,
      unit: "of a core",
      value: over((round) => round.cpuShare),
      how: "below 1 the machine, not the shard, was the limit",
    },
    {
      what: `longest block of the event loop ${what}`,
      unit: "ms",
      value: Math.max(...all.map(({ longestBlockMs }) => longestBlockMs)),
      how: "over all rounds",
    },
  ];
}
