import type { Figure } from "../figure.js";
import { besideBare } from "../groups/beside-bare.js";
import { groupOf } from "../groups/group-sizes.js";
import { author, taken, write, type Chat, type Reader } from "../groups/incoming-texts.js";
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
 * library. A message counts once it is confirmed and, with a receiver, delivered. Idle CPU is subtracted.
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
    try {
      return await besideBare(gateway, signal, async ({ sides, warm, baseline, probe }) => {
        const [side] = sides;
        if (side === undefined) throw new Error("there is no group");
        const { ours, bare, members } = side;
        const shard: Reader = { idleMs, cpuSeconds: async () => (await probe.usage()).cpuSeconds };
        const bareReader: Reader = { idleMs, cpuSeconds: () => baseline.cpuSeconds() };
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
            const events = await taken(shard, { ...to(ours), delivered }, messages, signal);
            await setWebhooks([ours], { url: "", token: "" });
            const silent = await taken(shard, to(ours), messages, signal);
            done.push({ events, silent, bare: await taken(bareReader, to(bare), messages, signal) });
          }
          found.push({ kind, rounds: done });
        }
        return {
          figures: found.flatMap(figuresOf),
          values: Object.fromEntries(
            found.flatMap(({ kind, rounds: done }) => [
              [overSilent(kind), done.map(({ events, silent }) => events / silent)],
              [overBare(kind), done.map(({ events, bare: of }) => events / of)],
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
      await receiver.stop();
    }
  },
};

const sizes = { full: { rounds: 5, messages: 200, idleMs: 2_000 }, quick: { rounds: 1, messages: 60, idleMs: 500 } };

interface Found {
  readonly kind: Kind;
  /** CPU milliseconds per message. */
  readonly rounds: readonly { readonly events: number; readonly silent: number; readonly bare: number }[];
}

function figuresOf({ kind, rounds }: Found): Figure[] {
  const how = "CPU of the process less what it takes idle, by messages";
  const row = (what: string, read: (round: Found["rounds"][number]) => number): Figure => ({
    what: `message from ${kind}, ${what}`,
    unit: "CPU ms",
    value: { rounds: rounds.map(read) },
    how,
  });
  return [
    row("shard with a receiver", ({ events }) => events),
    row("shard without a receiver", ({ silent }) => silent),
    row("bare library", ({ bare }) => bare),
  ];
}
