import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import { BareBaileys } from "../baseline/bare-baileys.js";
import type { Figure } from "../figure.js";
import type { LoadGenerator } from "../load/load-generator.js";
import { StoredLogins, type StoredLogin } from "../logins/stored-logins.js";
import { metricOf } from "../metrics.js";
import { scaled } from "../scale.js";
import type { Scenario } from "../scenario.js";
import { cpuShare, inspectable, ShardProbe, type Usage } from "../shard/shard-probe.js";

/**
 * Issue 3: sends a second of one shard. Each session sends one message after the other, so there are as many at once as sessions. Known contacts have been written
 * to before; a new one costs questions for devices and keys, and a key agreement. The baseline is the bare library that sends the same through the same sandbox.
 */
export const whatsappSend: Scenario = {
  name: "whatsapp-send",
  about: "POST /message, texts to known and to new contacts, one shard",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, load, signal) {
    const count = scaled(sessionCount);
    const store = await StoredLogins.open(gateway);
    try {
      const logins = await store.add("whatsapp", count);
      const probe = new ShardProbe(gateway);
      await probe.restart();
      await store.connected(logins, 120_000, signal);
      await sleep(settleMs, undefined, { signal });
      const known = logins.map((_, index) => numbers(0, index, knownContacts));
      for (const [index, { caller }] of logins.entries()) {
        const answers = await Promise.all((known[index] ?? []).map((phone) => caller.send("POST", "/message", { phone, type: "text", text: "Hello" })));
        const refused = answers.find(({ status }) => status !== 200);
        if (refused !== undefined) throw new Error(`POST /message: ${refused.status} ${JSON.stringify(refused.body)}`);
      }
      const ours = { known: [] as Round[], new: [] as Round[] };
      const bare = { known: [] as Round[], new: [] as Round[] };
      const { credentials, baseline } = await startBare(gateway, store, count, signal);
      try {
        await baseline.run(1, known.map((own) => own.map(jid)));
        for (let round = 0; round < rounds; round++) {
          const strangers = logins.map((_, index) => numbers(round + 1, index, newContacts));
          ours.known.push(await ourRound(gateway, load, probe, logins, known));
          bare.known.push(await bareRound(baseline, known));
          ours.new.push(await ourRound(gateway, load, probe, logins, strangers));
          bare.new.push(await bareRound(baseline, strangers));
        }
      } finally {
        await baseline.stop();
      }
      const how = `${rounds} rounds of ${seconds} s, ${count} sessions at once`;
      return {
        figures: [...figuresOf("to known contacts", ours.known, bare.known, how), ...figuresOf("to new contacts", ours.new, bare.new, how)],
        notes: [
          `${count} sessions, ${credentials} bare clients; the sandbox (load mode: it decrypts nothing), router, Redis, load and shard share the machine's cores`,
          "the baseline is the bare library without router, Redis and fences, its keys in memory; shard and baseline run in turns",
          "values over rounds are the median (least–most)",
        ],
      };
    } finally {
      store.close();
    }
  },
};

const sessionCount = 40;
const knownContacts = 4;
/** For each session and round; more than it can reach in the time. */
const newContacts = 120;
const rounds = 3;
const seconds = 8;
const settleMs = 5_000;

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly cpuShare: number;
  readonly latencies: readonly number[];
  readonly loadCpuShare: number;
  readonly usage?: Usage;
}

/** Phone numbers that nobody else in the run writes to. */
function numbers(block: number, session: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `4917${block}${String(session).padStart(4, "0")}${String(n).padStart(4, "0")}`);
}

const jid = (phone: string): string => `${phone}@s.whatsapp.net`;

async function startBare(gateway: Gateway, store: StoredLogins, count: number, signal: AbortSignal): Promise<{ credentials: number; baseline: BareBaileys }> {
  const credentials = (await store.make("whatsapp", { prefix: "bare", from: 0, count })).map((login) => login.credentials ?? "");
  const folder = join(gateway.dataDir, "sandbox");
  const rootKey = await readFile(join(folder, "whatsapp-root.key"), "utf8");
  const url = `ws://127.0.0.1:${Number(new URL(gateway.sandbox).port) + socketOffset}/ws/chat`;
  return { credentials: credentials.length, baseline: await BareBaileys.start({ url, rootKey, credentials }, signal) };
}

/** The sandbox's WebSocket port from that of its control API. */
const socketOffset = 21;

async function ourRound(gateway: Gateway, load: LoadGenerator, probe: ShardProbe, logins: readonly StoredLogin[], recipients: readonly (readonly string[])[]): Promise<Round> {
  const path = `${new URL(gateway.whatsapp[0] ?? "").pathname}/message`;
  const lanes = logins.map(({ caller: { credentials } }, index) =>
    (recipients[index] ?? []).map((phone, n) => ({
      path,
      headers: { id: credentials.id, "session-id": credentials.sessionId, "content-type": "application/json" },
      body: JSON.stringify({ phone, type: "text", text: `Message ${n}` }),
    })),
  );
  const before = await probe.usage();
  const { requestsPerSecond, latencies = [], loadCpuShare } = await load.run({ origin: new URL(gateway.whatsapp[0] ?? "").origin, connections: logins.length, seconds, lanes, keepLatencies: true });
  const after = await probe.usage();
  const sends = accepted(after) - accepted(before);
  return { perSecond: requestsPerSecond, cpuMs: ((after.cpuSeconds - before.cpuSeconds) * 1000) / sends, cpuShare: cpuShare(before, after), latencies, loadCpuShare, usage: after };
}

/** The shard's own count: what was under way when the load ended is in it. */
function accepted({ text }: Usage): number {
  return metricOf(text, "gateway_shard_whatsapp_send_seconds_count", 'outcome="accepted"');
}

async function bareRound(baseline: BareBaileys, recipients: readonly (readonly string[])[]): Promise<Round> {
  const { sends, elapsedSeconds, cpuSeconds } = await baseline.run(seconds, recipients.map((own) => own.map(jid)));
  return { perSecond: sends / elapsedSeconds, cpuMs: (cpuSeconds * 1000) / sends, cpuShare: cpuSeconds / elapsedSeconds, latencies: [], loadCpuShare: 0 };
}

function figuresOf(to: string, ours: readonly Round[], bare: readonly Round[], how: string): Figure[] {
  const over = (all: readonly Round[], read: (round: Round) => number): Figure["value"] => ({ rounds: all.map(read) });
  return [
    { what: `sends ${to}`, unit: "1/s", value: over(ours, ({ perSecond }) => perSecond), how },
    { what: `bare library, sends ${to}`, unit: "1/s", value: over(bare, ({ perSecond }) => perSecond), how: "the same recipients" },
    { what: `shard CPU of a send ${to}`, unit: "CPU ms", value: over(ours, ({ cpuMs }) => cpuMs), how: "CPU of the shard by messages that the platform accepted" },
    { what: `bare library, CPU of a send ${to}`, unit: "CPU ms", value: over(bare, ({ cpuMs }) => cpuMs), how: "likewise" },
    { what: `shard while sending ${to}`, unit: "of a core", value: over(ours, (round) => round.cpuShare), how: "below 1 the machine, not the shard, was the limit" },
    { what: `bare library while sending ${to}`, unit: "of a core", value: over(bare, (round) => round.cpuShare), how: "likewise" },
    { what: `answer to POST /message ${to}`, unit: "ms", value: { samples: ours.flatMap(({ latencies }) => latencies) }, how: "at the caller, waiting behind the others included" },
    { what: `longest block of the event loop while sending ${to}`, unit: "ms", value: Math.max(...ours.map(({ usage }) => usage?.longestBlockMs ?? 0)), how: "over all rounds" },
  ];
}
