import { setTimeout as sleep } from "node:timers/promises";
import { loggedIn, type Caller } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { PlatformSide } from "../../test/harness/platform-side.js";
import type { Received } from "../../test/sandbox/whatsapp/world/received.js";
import { sharedGroups } from "../../test/sandbox/whatsapp/world/seed.js";
import type { Figure } from "../figure.js";
import { processTreeCpuSeconds } from "../process-cpu.js";
import { gatewayProcess } from "../profile/gateway-process.js";
import type { Scenario } from "../scenario.js";
import { ShardProbe } from "../shard/shard-probe.js";

/**
 * Texts to a group of 500. The first one of a session meets every member's devices (keys, a sender key for each); the following ones find all of it. The sandbox is not in load mode: it
 * answers at once and then reads the message as each recipient would, which is what its CPU goes into.
 */
export const whatsappGroup: Scenario = {
  name: "whatsapp-group",
  about: "POST /message, texts to a group of 500, one shard",
  quick: "one session with 3 following texts",
  gateway: { shards: 1 },
  async run(gateway, _load, signal, size) {
    const { accounts, following } = {
      full: { accounts: ["alice", "bob", "carol"], following: 10 },
      quick: { accounts: ["alice"], following: 3 },
    }[size];
    const sandbox = await gatewayProcess(gateway, "sandbox/main.js");
    const sent: { first: Sent[]; following: Sent[] } = { first: [], following: [] };
    for (const account of accounts) {
      const caller = await loggedIn(gateway, account, "whatsapp");
      // What follows a login (prekeys, the address book) is not to be measured.
      await sleep(settleMs, undefined, { signal });
      const group: GroupSender = { gateway, shard: new ShardProbe(gateway), sandbox, account, caller };
      sent.first.push(await send(group, "Hello"));
      for (let n = 1; n <= following; n++) {
        signal.throwIfAborted();
        sent.following.push(await send(group, `Hello ${n}`));
      }
    }
    return {
      figures: [...figuresOf("first text of a session", sent.first), ...figuresOf("following text", sent.following)],
      notes: [
        `texts of ${accounts.join(", ")}, ${following + 1} each, none before the one before it was read`,
        `${Math.min(...[...sent.first, ...sent.following].map(({ readers }) => readers))} people or more could read each text`,
      ],
    };
  },
};

const settleMs = 3_000;
const readMs = 120_000;

interface GroupSender {
  readonly gateway: Gateway;
  readonly shard: ShardProbe;
  /** Its process. */
  readonly sandbox: number;
  readonly account: string;
  readonly caller: Caller;
}

/** CPU in milliseconds. */
interface Sent {
  readonly answerMs: number;
  readonly readMs: number;
  readonly shardCpuMs: number;
  readonly longestBlockMs: number;
  readonly sandboxCpuMs: number;
  readonly readingCpuMs: number;
  readonly readers: number;
}

/** One text. Rejects when it is refused, or a recipient could not read it. */
async function send({ gateway, shard, sandbox, account, caller }: GroupSender, text: string): Promise<Sent> {
  const before = { shard: await shard.usage(), sandbox: await processTreeCpuSeconds(sandbox) };
  const startedAt = performance.now();
  const { status, body } = await caller.send("POST", "/message", { group: sharedGroups.big, type: "text", text });
  const answeredAt = performance.now();
  if (status !== 200) throw new Error(`POST /message: ${status} ${JSON.stringify(body)}`);
  const { messageId } = body as { messageId: string };
  const answered = { shard: await shard.usage(), sandbox: await processTreeCpuSeconds(sandbox) };
  const platform = new PlatformSide<Received>(gateway, "whatsapp");
  const row = await eventually(
    "the text with its recipients",
    async () => (await platform.received(account, "message")).find(({ id }) => id === messageId),
    readMs,
  );
  const readAt = performance.now();
  if (row.failures !== undefined && row.failures.length > 0)
    throw new Error(`${row.failures.length} recipients could not read the text: ${row.failures[0]?.reason}`);
  return {
    answerMs: answeredAt - startedAt,
    readMs: readAt - startedAt,
    shardCpuMs: (answered.shard.cpuSeconds - before.shard.cpuSeconds) * 1000,
    longestBlockMs: answered.shard.longestBlockMs,
    sandboxCpuMs: (answered.sandbox - before.sandbox) * 1000,
    readingCpuMs: ((await processTreeCpuSeconds(sandbox)) - answered.sandbox) * 1000,
    readers: row.audience.length,
  };
}

function figuresOf(what: string, sent: readonly Sent[]): Figure[] {
  const over = (read: (one: Sent) => number): Figure["value"] => ({ rounds: sent.map(read) });
  return [
    { what: `${what} until the answer`, unit: "ms", value: over(({ answerMs }) => answerMs), how: "at the caller, one after the other" },
    {
      what: `${what} until all have read it`,
      unit: "ms",
      value: over(({ readMs }) => readMs),
      how: "the sandbox decrypts it as each recipient's devices would",
    },
    { what: `shard CPU of a ${what}`, unit: "CPU ms", value: over(({ shardCpuMs }) => shardCpuMs), how: "until the answer" },
    {
      what: `longest block of the shard's event loop, ${what}`,
      unit: "ms",
      value: Math.max(...sent.map(({ longestBlockMs }) => longestBlockMs)),
      how: "Node's own histogram in the shard",
    },
    {
      what: `sandbox CPU of a ${what} until the answer`,
      unit: "CPU ms",
      value: over(({ sandboxCpuMs }) => sandboxCpuMs),
      how: "of its process, to 10 ms",
    },
    {
      what: `sandbox CPU of a ${what} after the answer`,
      unit: "CPU ms",
      value: over(({ readingCpuMs }) => readingCpuMs),
      how: "likewise, until all have read it",
    },
  ];
}
