import type { Figure } from "../figure.js";
import { besideBare } from "../groups/beside-bare.js";
import { groupOf, groupSizes } from "../groups/group-sizes.js";
import { author, taken, write, type Chat, type Meter } from "../groups/incoming-texts.js";
import type { Scenario } from "../scenario.js";
import { inspectable } from "../shard/shard-probe.js";

const barOf = (members: number): string => `CPU of a message from a group of ${members} by bare Baileys'`;

/**
 * Measures incoming messages from one person and from groups of 8, 256 and 1,024. A message counts once it is read and confirmed. The
 * baseline is the bare library on the same sandbox. Idle CPU is subtracted on both sides.
 */
export const whatsappIncoming: Scenario = {
  name: "whatsapp-incoming",
  about: "texts from one person and from groups of 8, 256 and 1,024 members to WhatsApp sessions, one shard",
  bars: groupSizes.map((members) => ({ name: barOf(members), unit: "", limit: { atMost: 0.1 } })),
  quick: "one round of 60 messages of each kind",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, _load, signal, size) {
    const { rounds, messages, idleMs } = sizes[size];
    return await besideBare(gateway, signal, async ({ sides, warm, baseline, probe }) => {
      for (const { account, groups = [] } of [...warm.ours, ...warm.bare])
        for (const chat of [author, ...groups]) await write({ gateway, account, chat }, messages, signal);
      const shard: Meter<"cpuMs"> = { idleMs, read: async () => ({ cpuMs: (await probe.usage()).cpuSeconds * 1_000 }) };
      const bareLibrary: Meter<"cpuMs"> = { idleMs, read: async () => ({ cpuMs: (await baseline.cpuSeconds()) * 1_000 }) };
      const found: Found[] = [];
      for (const { members, ours, bare } of sides) {
        for (const kind of ["one person", "group"] as const) {
          const to = ({ account, groups = [] }: { account: string; groups?: readonly string[] }): Chat => ({
            gateway,
            account,
            chat: kind === "group" ? groupOf({ groups }) : author,
          });
          // The first message of a chat brings keys.
          for (const chat of [to(ours), to(bare)]) await write(chat, 1, signal);
          const done: Found["rounds"][number][] = [];
          for (let round = 0; round < rounds; round++)
            done.push({
              ours: (await taken(shard, to(ours), messages, signal)).cpuMs,
              bare: (await taken(bareLibrary, to(bare), messages, signal)).cpuMs,
            });
          found.push({ kind, members, rounds: done });
        }
      }
      return {
        figures: found.flatMap(figuresOf),
        values: Object.fromEntries(
          found.filter(({ kind }) => kind === "group").map((one) => [barOf(one.members), one.rounds.map(({ ours, bare }) => ours / bare)]),
        ),
        notes: [
          `before anything is measured both processes take in ${messages} messages from each of 20 other chats: for the first thousands a process is busy with compiling`,
          `${rounds} rounds of ${messages} messages of each kind to one session and one bare client in a group of each size, in turns`,
          "values over rounds are the median (least–most)",
        ],
      };
    });
  },
};

const sizes = { full: { rounds: 5, messages: 200, idleMs: 2_000 }, quick: { rounds: 1, messages: 60, idleMs: 500 } };
interface Found {
  readonly kind: "one person" | "group";
  readonly members: number;
  /** CPU milliseconds per message. */
  readonly rounds: readonly { readonly ours: number; readonly bare: number }[];
}

function figuresOf({ kind, members, rounds }: Found): Figure[] {
  const from = kind === "group" ? `from a group of ${members}` : `from one person, to the account in a group of ${members}`;
  const how = "CPU of the process less what it takes idle, by messages that were read and confirmed";
  return [
    { what: `message ${from}, shard`, unit: "CPU ms", value: { rounds: rounds.map(({ ours }) => ours) }, how },
    { what: `message ${from}, bare library`, unit: "CPU ms", value: { rounds: rounds.map(({ bare }) => bare) }, how },
  ];
}
