import type { Figure } from "../figure.js";
import { besideBare, type GroupSides } from "../groups/beside-bare.js";
import { groupOf, groupSizes } from "../groups/group-sizes.js";
import type { StoredLogin } from "../logins/stored-logins.js";
import type { Scenario } from "../scenario.js";
import { inspectable, type ShardProbe } from "../shard/shard-probe.js";

const barOf = (members: number): string => `CPU of a text to a group of ${members} by bare Baileys'`;

/**
 * Sends texts to groups of 8, 256 and 1,024. A session's first text fetches keys for every device; later ones reuse them. The baseline is
 * the bare library with groups of its own in the same sandbox, whose load mode decrypts nothing.
 */
export const whatsappGroup: Scenario = {
  name: "whatsapp-group",
  about: "POST /message, texts to groups of 8, 256 and 1,024 members, one shard",
  bars: groupSizes.map((members) => ({ name: barOf(members), unit: "", limit: { atMost: 0.1 } })),
  quick: "one round of 3 s",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, _load, signal, size) {
    const { rounds, seconds, warmSeconds } = {
      full: { rounds: 5, seconds: 6, warmSeconds: 30 },
      quick: { rounds: 1, seconds: 3, warmSeconds: 15 },
    }[size];
    return await besideBare(gateway, signal, async ({ sides, warm, baseline, probe }) => {
      await Promise.all(warm.ours.map((login) => writeFor(login, warmSeconds * 1_000)));
      await baseline.run(warmSeconds, [...sides.map(() => []), ...warm.bare.map(({ groups = [] }) => groups)]);
      const found: Found[] = [];
      for (const [index, { members, ours, bare }] of sides.entries()) {
        const bareSends = async (ms: number): Promise<number> => {
          const { sends, cpuSeconds } = await baseline.run(ms / 1_000, onlyAt(index, groupOf(bare), sides));
          return (cpuSeconds * 1_000) / sends;
        };
        const first = { ours: await sends(probe, ours, 1), bare: await bareSends(1) };
        const following: Found["following"][number][] = [];
        for (let round = 0; round < rounds; round++) {
          signal.throwIfAborted();
          following.push({ ours: await sends(probe, ours, seconds * 1_000), bare: await bareSends(seconds * 1_000) });
        }
        found.push({ members, first, following });
      }
      return {
        figures: found.flatMap(figuresOf),
        values: Object.fromEntries(found.map(({ members, following }) => [barOf(members), following.map(({ ours, bare }) => ours / bare)])),
        notes: [
          `one session and one bare client in a group of each size; ${rounds} rounds of ${seconds} s, ours and bare in turns, each text after the answer to the one before`,
          `before that both processes send to other groups for ${warmSeconds} s: for the first thousands of texts a process is busy with compiling`,
          "CPU of the shard's process, fences, records and its part of the bus included; the bare library has its keys and the group's members in memory",
          "values over rounds are the median (least–most)",
        ],
      };
    });
  },
};

/** CPU milliseconds per text. */
interface Pair {
  readonly ours: number;
  readonly bare: number;
}

interface Found {
  readonly members: number;
  readonly first: Pair;
  readonly following: readonly Pair[];
}

/** Returns the shard's CPU per text, over all texts that one session sends one after the other within `ms`, at least one. */
async function sends(probe: ShardProbe, login: StoredLogin, ms: number): Promise<number> {
  const before = await probe.usage();
  const count = await writeFor(login, ms);
  return (((await probe.usage()).cpuSeconds - before.cpuSeconds) * 1_000) / count;
}

/** Sends texts to its groups in turn, one after the other. Resolves with their number. Rejects when one is refused. */
async function writeFor({ caller, groups }: StoredLogin, ms: number): Promise<number> {
  const endsAt = performance.now() + ms;
  let count = 0;
  do {
    const group = groups[count % groups.length] ?? "";
    const { status, body } = await caller.send("POST", "/message", { group, type: "text", text: `Message ${count}` });
    if (status !== 200) throw new Error(`POST /message: ${status} ${JSON.stringify(body)}`);
    count += 1;
  } while (performance.now() < endsAt);
  return count;
}

/** The other clients have no recipients. */
function onlyAt(index: number, jid: string, sides: GroupSides["sides"]): readonly (readonly string[])[] {
  return sides.map((_, at) => (at === index ? [jid] : []));
}

function figuresOf({ members, first, following }: Found): Figure[] {
  return [
    {
      what: `first text to ${members} members, shard`,
      unit: "CPU ms",
      value: first.ours,
      how: "a session and a sender key for each member",
    },
    { what: `first text to ${members} members, bare library`, unit: "CPU ms", value: first.bare, how: "likewise" },
    {
      what: `following text to ${members} members, shard`,
      unit: "CPU ms",
      value: { rounds: following.map(({ ours }) => ours) },
      how: "one encryption and one signature",
    },
    {
      what: `following text to ${members} members, bare library`,
      unit: "CPU ms",
      value: { rounds: following.map(({ bare }) => bare) },
      how: "likewise",
    },
  ];
}
