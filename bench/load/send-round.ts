import type { Platform } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { Figure } from "../figure.js";
import type { StoredLogin } from "../logins/stored-logins.js";
import { metricOf } from "../metrics.js";
import { cpuShare, type ShardProbe, type Usage } from "../shard/shard-probe.js";
import type { LoadGenerator } from "./load-generator.js";

/** Each session sends one message after the other for some seconds. */
export interface SendPlan {
  readonly gateway: Gateway;
  readonly platform: Platform;
  readonly load: LoadGenerator;
  readonly probe: ShardProbe;
  readonly logins: readonly StoredLogin[];
  readonly seconds: number;
  /** Phone numbers through which each session cycles. */
  readonly recipients: readonly (readonly string[])[];
}

export interface SendRound {
  readonly perSecond: number;
  /** CPU milliseconds of the sending process per message. */
  readonly cpuMs: number;
  /** CPU share of the sending process. */
  readonly cpuShare: number;
  readonly latencies: readonly number[];
  readonly longestBlockMs: number;
}

/** Runs one round of `POST /message` with texts. Rejects when one is refused. */
export async function sendRound({ gateway, platform, load, probe, logins, seconds, recipients }: SendPlan): Promise<SendRound> {
  const base = new URL(gateway[platform][0] ?? "");
  const lanes = logins.map(({ caller: { credentials } }, index) =>
    (recipients[index] ?? []).map((phone, n) => ({
      path: `${base.pathname}/message`,
      headers: { id: credentials.id, "session-id": credentials.sessionId, "content-type": "application/json" },
      body: JSON.stringify({ phone, type: "text", text: `Message ${n}` }),
    })),
  );
  const before = await probe.usage();
  const { requestsPerSecond, latencies = [] } = await load.run({
    origin: base.origin,
    connections: logins.length,
    seconds,
    lanes,
    keepLatencies: true,
  });
  const after = await probe.usage();
  const cpuMs = ((after.cpuSeconds - before.cpuSeconds) * 1000) / (sends(after) - sends(before));
  return { perSecond: requestsPerSecond, cpuMs, cpuShare: cpuShare(before, after), latencies, longestBlockMs: after.longestBlockMs };
}

/** Sends each session's message to each of its recipients once, for at most `atOnce` sessions at a time. Rejects when one is refused. */
export async function meetAll(logins: readonly StoredLogin[], recipients: readonly (readonly string[])[]): Promise<void> {
  for (let from = 0; from < logins.length; from += atOnce) {
    await Promise.all(
      logins.slice(from, from + atOnce).map(async ({ caller }, index) => {
        for (const phone of recipients[from + index] ?? []) {
          const { status, body } = await caller.send("POST", "/message", { phone, type: "text", text: "Hello" });
          if (status !== 200) throw new Error(`POST /message: ${status} ${JSON.stringify(body)}`);
        }
      }),
    );
  }
}

/** Telegram allows each session one number lookup in 3 seconds, so the sessions wait at the same time. */
const atOnce = 64;

/** The shard's own count includes messages that were in flight when the load ended. */
function sends({ text }: Usage): number {
  return metricOf(text, "gateway_shard_command_seconds_count", 'command="send-message"');
}

export function sendFigures(to: string, rounds: readonly SendRound[], how: string): Figure[] {
  const over = (read: (round: SendRound) => number): Figure["value"] => ({ rounds: rounds.map(read) });
  return [
    { what: `sends ${to}`, unit: "1/s", value: over(({ perSecond }) => perSecond), how },
    {
      what: `shard CPU of a send ${to}`,
      unit: "CPU ms",
      value: over(({ cpuMs }) => cpuMs),
      how: "CPU of the shard's process by send commands",
    },
    {
      what: `shard while sending ${to}`,
      unit: "of a core",
      value: over((round) => round.cpuShare),
      how: "below 1 the machine, not the shard, was the limit",
    },
    {
      what: `answer to POST /message ${to}`,
      unit: "ms",
      value: { samples: rounds.flatMap(({ latencies }) => latencies) },
      how: "at the caller, waiting behind the other sessions included",
    },
    {
      what: `longest block of the event loop while sending ${to}`,
      unit: "ms",
      value: Math.max(...rounds.map(({ longestBlockMs }) => longestBlockMs)),
      how: "over all rounds",
    },
  ];
}
