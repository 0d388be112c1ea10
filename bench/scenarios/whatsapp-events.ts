import type { RedisClient } from "../../shared/redis/connect.js";
import type { Figure } from "../figure.js";
import { besideBare } from "../groups/beside-bare.js";
import { groupOf } from "../groups/group-sizes.js";
import { author, taken, write, type Chat, type Meter } from "../groups/incoming-texts.js";
import { gatewayRedis } from "../gateway-redis.js";
import { Receiver } from "../receiver/receiver.js";
import { setWebhooks } from "../receiver/set-webhooks.js";
import type { Scenario } from "../scenario.js";
import { inspectable } from "../shard/shard-probe.js";

const kinds = ["one person", "a group"] as const;
type Kind = (typeof kinds)[number];
const overSilent = (kind: Kind): string => `CPU of an event from ${kind} by the same message without a receiver`;
const overBare = (kind: Kind): string => `CPU of an event from ${kind} by a message of bare Baileys`;

/**
 * Measures incoming messages of one session that become webhook events, beside the same messages without a receiver and beside the bare
 * library. A message counts once it is confirmed and, with a receiver, delivered. What the processes take idle is subtracted.
 */
export const whatsappEvents: Scenario = {
  name: "whatsapp-events",
  about: "texts from one person and from a group to a WhatsApp session, with and without a webhook, one shard",
  bars: kinds.flatMap((kind) => [
    { name: overSilent(kind), unit: "", limit: { atMost: 1.5 } },
    { name: overBare(kind), unit: "", limit: { atMost: 0.35 } },
  ]),
  quick: "one round of 60 messages of each kind",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, _load, signal, size) {
    const { rounds, messages, idleMs } = sizes[size];
    const receiver = await Receiver.start(signal);
    const redis = await gatewayRedis(gateway);
    try {
      return await besideBare(gateway, signal, async ({ sides, warm, baseline, probe }) => {
        const [side] = sides;
        if (side === undefined) throw new Error("there is no group");
        const { ours, bare, members } = side;
        const product: Meter<"cpuMs" | RedisCounter> = {
          idleMs,
          read: async () => ({ cpuMs: (await probe.usage()).cpuSeconds * 1_000, ...(await redisBytes(redis)) }),
        };
        const bareLibrary: Meter<"cpuMs"> = { idleMs, read: async () => ({ cpuMs: (await baseline.cpuSeconds()) * 1_000 }) };
        const settings = {
          url: receiver.url,
          token: "token-of-the-benchmark",
          events: ["message.new" as const, "group.message.new" as const],
        };
        const delivered = async (): Promise<number> => (await receiver.received()).events;
        await setWebhooks([ours, ...warm.ours], settings);
        for (const { account, groups = [] } of warm.ours)
          for (const chat of [author, ...groups]) await write({ gateway, account, chat, delivered }, messages, signal);
        for (const { account, groups = [] } of warm.bare)
          for (const chat of [author, ...groups]) await write({ gateway, account, chat }, messages, signal);
        const found: Found[] = [];
        for (const kind of kinds) {
          const to = ({ account, groups = [] }: { account: string; groups?: readonly string[] }): Chat => ({
            gateway,
            account,
            chat: kind === "a group" ? groupOf({ groups }) : author,
          });
          // The first message of a chat brings keys.
          for (const chat of [to(ours), to(bare)]) await write(chat, 1, signal);
          const done: Found["rounds"][number][] = [];
          for (let round = 0; round < rounds; round++) {
            await setWebhooks([ours], settings);
            const events = await taken(product, { ...to(ours), delivered }, messages, signal);
            await setWebhooks([ours], { url: "", token: "" });
            const silent = await taken(product, to(ours), messages, signal);
            done.push({ events, silent, bare: (await taken(bareLibrary, to(bare), messages, signal)).cpuMs });
          }
          found.push({ kind, rounds: done });
        }
        return {
          figures: found.flatMap(figuresOf),
          values: Object.fromEntries(
            found.flatMap(({ kind, rounds: done }) => [
              [overSilent(kind), done.map(({ events, silent }) => events.cpuMs / silent.cpuMs)],
              [overBare(kind), done.map(({ events, bare: of }) => events.cpuMs / of)],
            ]),
          ),
          notes: [
            `${rounds} rounds of ${messages} messages of each kind, in turns; the group has ${members} members`,
            "the CPU of an event includes its delivery to the receiver, which is a process of its own",
            "values over rounds are the median (least–most)",
          ],
        };
      });
    } finally {
      redis.disconnect();
      await receiver.stop();
    }
  },
};

const sizes = { full: { rounds: 5, messages: 200, idleMs: 2_000 }, quick: { rounds: 1, messages: 60, idleMs: 500 } };

interface Found {
  readonly kind: Kind;
  /** What one message takes. `bare`: CPU milliseconds. */
  readonly rounds: readonly { readonly events: OfMessage; readonly silent: OfMessage; readonly bare: number }[];
}

/** CPU milliseconds of the shard and bytes of Redis for one message. */
type OfMessage = Readonly<Record<"cpuMs" | RedisCounter, number>>;

type RedisCounter = "received" | "sent" | "file";

/** Bytes that Redis has received and sent, and the size of its append-only file. */
async function redisBytes(redis: RedisClient): Promise<Record<RedisCounter, number>> {
  const info = `${await redis.info("stats")}\n${await redis.info("persistence")}`;
  const bytes = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1] ?? Number.NaN);
  return { received: bytes("total_net_input_bytes"), sent: bytes("total_net_output_bytes"), file: bytes("aof_current_size") };
}

function figuresOf({ kind, rounds }: Found): Figure[] {
  const row = (what: string, unit: string, read: (round: Found["rounds"][number]) => number): Figure => ({
    what: `message from ${kind}, ${what}`,
    unit,
    value: { rounds: rounds.map(read) },
    how: "growth less the growth while idle, by messages",
  });
  return [
    row("shard with a receiver", "CPU ms", ({ events }) => events.cpuMs),
    row("shard without a receiver", "CPU ms", ({ silent }) => silent.cpuMs),
    row("bare library", "CPU ms", ({ bare }) => bare),
    row("to Redis with a receiver", "bytes", ({ events }) => events.received),
    row("to Redis without a receiver", "bytes", ({ silent }) => silent.received),
    row("from Redis with a receiver", "bytes", ({ events }) => events.sent),
    row("from Redis without a receiver", "bytes", ({ silent }) => silent.sent),
    row("append-only file with a receiver", "bytes", ({ events }) => events.file),
    row("append-only file without a receiver", "bytes", ({ silent }) => silent.file),
  ];
}
