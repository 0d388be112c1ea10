import { setTimeout as sleep } from "node:timers/promises";
import type { BareBaileys } from "../baseline/bare-baileys.js";
import { bareOn } from "../baseline/bare-on.js";
import type { Figure } from "../figure.js";
import { meetAll, sendFigures, sendRound, type SendRound } from "../load/send-round.js";
import { StoredLogins } from "../logins/stored-logins.js";
import type { Scenario } from "../scenario.js";
import { inspectable, ShardProbe } from "../shard/shard-probe.js";

/**
 * Measures sends a second of one shard. Each session sends one message at a time. New contacts cost requests for devices and keys, and a
 * key agreement; known ones do not. The baseline is the bare library on the same sandbox.
 */
export const whatsappSend: Scenario = {
  name: "whatsapp-send",
  about: "POST /message, texts to known and to new contacts, one shard",
  bars: [
    { name: costBar("known"), unit: "", limit: { atMost: 0.4 } },
    { name: costBar("new"), unit: "", limit: { atMost: 0.35 } },
  ],
  quick: "2 rounds of 4 s",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, load, signal, size) {
    const { rounds, seconds } = sizes[size];
    const count = sessionCount;
    const store = await StoredLogins.open(gateway);
    try {
      const logins = await store.add("whatsapp", count);
      const probe = new ShardProbe(gateway);
      await probe.restart();
      await store.connected(logins, 120_000, signal);
      await sleep(settleMs, undefined, { signal });
      const met = logins.map((_, index) => numbers(0, index, metContacts));
      await meetAll(logins, met);
      const plan = { gateway, platform: "whatsapp", load, probe, logins, seconds } as const;
      const ours = { met: [] as SendRound[], new: [] as SendRound[] };
      const bare = { met: [] as SendRound[], new: [] as SendRound[] };
      const baseline = await bareOn(gateway, await store.make("whatsapp", { prefix: "bare", from: 0, count }), signal);
      try {
        await baseline.run(
          1,
          met.map((own) => own.map(jid)),
        );
        for (let round = 0; round < rounds; round++) {
          const newNumbers = logins.map((_, index) => numbers(round + 1, index, newContacts));
          ours.met.push(await sendRound({ ...plan, recipients: met }));
          bare.met.push(await bareRound(baseline, seconds, met));
          ours.new.push(await sendRound({ ...plan, recipients: newNumbers }));
          bare.new.push(await bareRound(baseline, seconds, newNumbers));
        }
      } finally {
        await baseline.stop();
      }
      const how = `${rounds} rounds of ${seconds} s, ${count} sessions at once`;
      return {
        figures: [
          ...sendFigures("to known contacts", ours.met, how),
          ...bareFigures("to known contacts", bare.met),
          ...sendFigures("to new contacts", ours.new, how),
          ...bareFigures("to new contacts", bare.new),
        ],
        values: { [costBar("known")]: costRatios(ours.met, bare.met), [costBar("new")]: costRatios(ours.new, bare.new) },
        notes: [
          `${count} sessions, as many bare clients; the sandbox (load mode: it decrypts nothing), router, Redis, load and shard share the machine's cores`,
          "the baseline is the bare library without router, Redis and fences, its keys in memory; shard and baseline run in turns",
          "values over rounds are the median (least–most)",
        ],
      };
    } finally {
      store.close();
    }
  },
};

function costBar(contacts: "known" | "new"): string {
  return `CPU of a text to ${contacts} contacts by that of the bare library`;
}

function costRatios(ours: readonly SendRound[], bare: readonly SendRound[]): number[] {
  return ours.map(({ cpuMs }, round) => cpuMs / (bare[round]?.cpuMs ?? Number.NaN));
}

const sessionCount = 40;
const metContacts = 4;
/** New contacts for each session and round; more than it can reach in the time. */
const newContacts = 120;
const sizes = { full: { rounds: 3, seconds: 8 }, quick: { rounds: 2, seconds: 4 } };
const settleMs = 5_000;

/** Returns phone numbers that no other session of the run uses. */
function numbers(block: number, session: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `4917${block}${String(session).padStart(4, "0")}${String(n).padStart(4, "0")}`);
}

const jid = (phone: string): string => `${phone}@s.whatsapp.net`;

async function bareRound(baseline: BareBaileys, seconds: number, recipients: readonly (readonly string[])[]): Promise<SendRound> {
  const { sends, elapsedSeconds, cpuSeconds } = await baseline.run(
    seconds,
    recipients.map((own) => own.map(jid)),
  );
  return {
    perSecond: sends / elapsedSeconds,
    cpuMs: (cpuSeconds * 1000) / sends,
    cpuShare: cpuSeconds / elapsedSeconds,
    latencies: [],
    longestBlockMs: 0,
  };
}

function bareFigures(to: string, rounds: readonly SendRound[]): Figure[] {
  return [
    {
      what: `bare library, sends ${to}`,
      unit: "1/s",
      value: { rounds: rounds.map(({ perSecond }) => perSecond) },
      how: "the same recipients, in turns with the shard",
    },
    {
      what: `bare library, CPU of a send ${to}`,
      unit: "CPU ms",
      value: { rounds: rounds.map(({ cpuMs }) => cpuMs) },
      how: "CPU of the bare process by messages that the platform accepted",
    },
    {
      what: `bare library while sending ${to}`,
      unit: "of a core",
      value: { rounds: rounds.map((round) => round.cpuShare) },
      how: "as above",
    },
  ];
}
