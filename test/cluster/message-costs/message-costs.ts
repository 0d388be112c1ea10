import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { slotOf } from "../../../shared/contract/slot.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { eventually } from "../../harness/eventually.js";
import { monitorRedis } from "../../harness/monitor-redis.js";
import { PlatformSide } from "../../harness/platform-side.js";

/** Redis commands of one text, by process and name. A script has the name of its file, another command that of its first key's kind. */
export type MessageCosts = Readonly<Record<"router" | "shard", Readonly<Record<string, number>>>>;

export interface Conversation {
  readonly platform: Platform;
  /** Accounts of the sandbox: the first one writes to the second one. */
  readonly accounts: readonly [sender: string, receiver: string];
  /** Router and shard share a process. */
  readonly allInOne?: boolean;
  /** Environment of the cluster. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Counts each Redis read and write of one text from one session of a gateway to another one, in all of its processes. Texts go one at a
 * time, so nothing of two texts is shared. The result is the mean of several texts, rounded.
 */
export async function costsOfText({ platform, accounts, allInOne = false, env = {} }: Conversation): Promise<MessageCosts> {
  const cluster = await startCluster({ allInOne, env });
  try {
    const [sender, receiver] = await Promise.all([loggedIn(cluster, accounts[0], platform), loggedIn(cluster, accounts[1], platform)]);
    const side = new PlatformSide(cluster, platform);
    const [toReceiver, toSender] = [await side.phoneOf(accounts[1]), await side.phoneOf(accounts[0])];
    for (const text of ["hello", "are you there?"]) {
      await send(sender, toReceiver, text);
      await send(receiver, toSender, text);
    }
    return await counted(cluster, { callers: [sender, receiver], isRemoved: !allInOne }, () => send(sender, toReceiver, "one more"));
  } finally {
    await cluster.stop();
  }
}

/** Texts that are counted. */
export const texts = 10;

async function send(caller: Caller, phone: string, text: string): Promise<void> {
  const { status, body } = await caller.send("POST", "/message", { phone, type: "text", text });
  if (status !== 200) throw new Error(`POST /message: ${status} ${JSON.stringify(body)}`);
}

interface Counted {
  readonly callers: readonly Caller[];
  /** The command goes through a stream, and is removed from it at its end. */
  readonly isRemoved: boolean;
}

async function counted(cluster: TestCluster, { callers, isRemoved }: Counted, sendOne: () => Promise<void>): Promise<MessageCosts> {
  const scripts = await scriptNames();
  const concerns = belongsTo(callers);
  const costs = { router: new Map<string, number>(), shard: new Map<string, number>() };
  let [counting, removed, lastAt] = [false, 0, performance.now()];
  const end = await monitorRedis(cluster.redis.url, (args, source) => {
    const command = (args[0] ?? "").toLowerCase();
    const key = keyOf(command, args);
    if (source === "lua" || byTimer.has(command) || !concerns(key)) return;
    lastAt = performance.now();
    if (command === "xdel") removed += 1;
    if (!counting) return;
    const name = command === "evalsha" ? (scripts.get(args[1] ?? "") ?? "unknown script") : `${command} ${kindOf(key)}`;
    const of = costs[processOf(name)];
    of.set(name, (of.get(name) ?? 0) + 1);
  });
  /** The commands of one text follow each other within milliseconds. */
  const quiet = (): Promise<boolean> => eventually("a quiet Redis", () => performance.now() - lastAt > quietMs);
  try {
    await quiet();
    counting = true;
    for (let n = 1; n <= texts; n++) {
      const before = removed;
      await sendOne();
      if (isRemoved) await eventually("the removal of the command", () => removed > before);
      await quiet();
    }
  } finally {
    end();
  }
  return { router: meansOf(costs.router), shard: meansOf(costs.shard) };
}

const quietMs = 200;
/** Processes send these at intervals, for their gauges and their position in a stream. On a slow machine there is one for each text. */
const byTimer: ReadonlySet<string> = new Set(["xlen", "xrevrange"]);

/** Leaves out what does not come with each text, such as the renewal of a blocked read. */
function meansOf(counts: ReadonlyMap<string, number>): Record<string, number> {
  const means = [...counts].map(([name, count]) => [name, Math.round(count / texts)] as const);
  return Object.fromEntries(means.filter(([, mean]) => mean > 0).sort(([a], [b]) => a.localeCompare(b)));
}

/** True for keys of the sessions, of their slots, and of the bus. */
function belongsTo(callers: readonly Caller[]): (key: string) => boolean {
  const slots = callers.map(({ credentials }) => `:{${slotOf(credentials.id as SessionId)}}`);
  return (key) => /^(commands|enqueued|replies):/.test(key) || slots.some((slot) => key.includes(slot));
}

function keyOf(command: string, args: readonly string[]): string {
  if (command === "evalsha" || command === "eval") return args[3] ?? "";
  if (command === "xread") return args[args.findIndex((word) => word.toLowerCase() === "streams") + 1] ?? "";
  return args[1] ?? "";
}

const kindOf = (key: string): string => key.slice(0, key.indexOf(":"));

/** Shards read commands and write replies, and routers the reverse. Routers only read records of sessions. */
function processOf(name: string): "router" | "shard" {
  if (name.startsWith("router/") || ["xread replies", "xdel replies", "xtrim replies"].includes(name)) return "router";
  return ["hmget session", "hmget owner"].includes(name) ? "router" : "shard";
}

/** Returns the names of all scripts, by digest. */
async function scriptNames(): Promise<ReadonlyMap<string, string>> {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const names = new Map<string, string>();
  for (const folder of ["router", "shard", "shared"])
    for (const file of await readdir(join(root, folder), { recursive: true }))
      if (file.endsWith(".lua")) {
        const text = await readFile(join(root, folder, file));
        names.set(createHash("sha1").update(text).digest("hex"), `${folder}/${file.replace("scripts/", "").replace(".lua", "")}`);
      }
  return names;
}
