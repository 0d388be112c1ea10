import { setMaxListeners } from "node:events";
import typia from "typia";
import type { ChannelMessage } from "../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../shared/limits.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { loggedIn, request, type Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { Receiver } from "../receiver/receiver.js";
import { control } from "../sandbox-control.js";
import { keepPace, type Paced } from "./pace.js";

/** Accounts of the sandbox with a username and without a password. Each writes to the next one. */
const telegramAccounts = ["alice", "bob", "carol", "grace", "ivan", "judy", "kenji"];
const whatsappAccounts = ["bob", "carol", "dave", "grace", "heidi", "ivan", "kenji"];
const warmBytes = 64 * 1024 * 1024;
const coldBytes = 1536 * 1024 * 1024;
/** A request that takes longer has failed. */
const requestMs = 60_000;
const errorsKept = 20;

/**
 * A steady mix of customers' requests: records, typing, messages, groups, statuses, media with and without the cache, clients that
 * disconnect early, and webhooks. Far below the capacity of one core, so a healthy gateway raises no alert.
 */
export class MixedLoad {
  private readonly end = new AbortController();
  private readonly failures = new Map<string, number>();
  private running: Promise<unknown> = Promise.resolve();

  private constructor(private readonly receiver: Receiver) {
    // Room for as many listeners as requests run at once.
    setMaxListeners(200, this.end.signal);
  }

  /** Logs in all accounts, then begins. The caller must stop it. */
  static async start(gateway: Gateway, signal: AbortSignal): Promise<MixedLoad> {
    const load = new MixedLoad(await Receiver.start(signal));
    try {
      const tasks = await tasksOf(gateway, load.receiver.url, load.end.signal);
      load.running = Promise.all(tasks.map((task) => keepPace(task, (error) => load.note(task.name, error), load.end.signal)));
      return load;
    } catch (error) {
      await load.stop();
      throw error;
    }
  }

  /** Returns the failed requests so far by reason, as sentences. */
  failed(): string[] {
    return [...this.failures].map(([reason, count]) => `${count} times: ${reason}`);
  }

  async stop(): Promise<void> {
    this.end.abort(new Error("stopped"));
    await this.running;
    await this.receiver.stop();
  }

  private note(name: string, error: unknown): void {
    const text = `${name}: ${error instanceof Error ? error.message : String(error)}`;
    const reason = this.failures.has(text) || this.failures.size < errorsKept ? text : "others";
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1);
  }
}

async function tasksOf(gateway: Gateway, receiver: string, signal: AbortSignal): Promise<Paced[]> {
  const telegram = await logIn(gateway, "telegram", telegramAccounts);
  const whatsapp = await logIn(gateway, "whatsapp", whatsappAccounts);
  for (const caller of telegram) await must(caller.send("PUT", "/session/webhook", { url: receiver, token: "token-of-the-benchmark" }));
  const phones = await phonesOf(gateway, whatsappAccounts);
  const alice = pick(telegram, 0);
  const [warm, cold] = [await mediaLink(gateway, alice, warmBytes), await mediaLink(gateway, alice, coldBytes)];
  const everybody = [...telegram, ...whatsapp];
  /** Requests go to the routers in turn. */
  const through = (caller: Caller, turn: number): Caller => caller.through(turn % gateway.telegram.length);
  const media = (link: string, turn: number, from: number, bytes: number, leaveAfterMs?: number): Promise<void> =>
    readRange(`${new URL(gateway.telegram[turn % gateway.telegram.length] ?? "").origin}${link}`, from, bytes, signal, leaveAfterMs);
  return [
    { name: "record", perSecond: 20, atOnce: 50, task: async (turn) => await must(through(pick(everybody, turn), turn).get("/session")) },
    {
      name: "typing",
      perSecond: 3,
      atOnce: 20,
      task: async (turn) =>
        await must(
          through(pick(telegram, turn), turn).send("POST", "/typing", {
            username: `${pick(telegramAccounts, turn + 1)}_sandbox`,
            type: "text",
          }),
        ),
    },
    {
      name: "telegram message",
      perSecond: 4,
      atOnce: 20,
      task: async (turn) =>
        await must(
          through(pick(telegram, turn), turn).send("POST", "/message", {
            username: `${pick(telegramAccounts, turn + 1)}_sandbox`,
            type: "text",
            text: `Message ${turn}`,
          }),
        ),
    },
    {
      name: "whatsapp message",
      perSecond: 3,
      atOnce: 20,
      task: async (turn) =>
        await must(
          through(pick(whatsapp, turn), turn).send("POST", "/message", {
            phone: pick(phones, turn + 1),
            type: "text",
            text: `Message ${turn}`,
          }),
        ),
    },
    { name: "groups", perSecond: 0.5, atOnce: 4, task: async (turn) => await must(through(pick(everybody, turn), turn).get("/group")) },
    {
      name: "whatsapp status",
      perSecond: 0.1,
      atOnce: 2,
      task: async (turn) =>
        await must(through(pick(whatsapp, 0), turn).send("POST", "/status", { type: "text", text: `Status ${turn} 👋` })),
    },
    {
      name: "incoming message",
      perSecond: 3,
      atOnce: 20,
      task: async (turn) =>
        void (await control(gateway, "telegram", "/people/send", {
          account: pick(telegramAccounts, turn),
          text: `Somebody writes ${turn}`,
        })),
    },
    {
      name: "media from memory",
      perSecond: 10,
      atOnce: 16,
      task: async (turn) => await media(warm, turn, ((turn * 5) % (warmBytes / chunkBytes)) * chunkBytes, chunkBytes),
    },
    // Reads a different range each time, so it is mostly not cached.
    {
      name: "media from the platform",
      perSecond: 0.5,
      atOnce: 4,
      task: async (turn) => await media(cold, turn, ((turn * 577) % (coldBytes / chunkBytes - 8)) * chunkBytes, 4 * chunkBytes),
    },
    {
      name: "viewer who leaves",
      perSecond: 0.2,
      atOnce: 4,
      task: async (turn) => await media(cold, turn, ((turn * 911) % (coldBytes / chunkBytes / 2)) * chunkBytes, coldBytes / 4, 400),
    },
  ];
}

async function logIn(gateway: Gateway, platform: "telegram" | "whatsapp", accounts: readonly string[]): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const account of accounts) callers.push(await loggedIn(gateway, account, platform));
  return callers;
}

async function phonesOf(gateway: Gateway, accounts: readonly string[]): Promise<string[]> {
  const { docs } = isAccounts((await request(`${gateway.sandbox}/accounts`)).body);
  return accounts.map((account) => docs.find((one) => one.platform === "whatsapp" && one.account === account)?.phone ?? "");
}

/** Returns the path of a file of that size in alice's messages. */
async function mediaLink(gateway: Gateway, caller: Caller, bytes: number): Promise<string> {
  const media = isMedia((await request(`${gateway.sandbox}/media?platform=telegram`)).body).docs.find(({ size }) => size === bytes);
  if (media === undefined) throw new Error(`the sandbox has no file of ${bytes} bytes`);
  const { docs } = (await caller.get(`/channel/message?channelId=${media.chatId}&limit=100`)).body as { docs: ChannelMessage[] };
  const url = docs.find(({ size }) => size === bytes)?.url;
  if (!url) throw new Error(`no link to the file of ${bytes} bytes`);
  return new URL(url, gateway.telegram[0]).pathname;
}

/** Reads a range to its end, or disconnects early as a viewer does. */
async function readRange(url: string, from: number, bytes: number, signal: AbortSignal, leaveAfterMs?: number): Promise<void> {
  const scope = new AbortScope([signal], leaveAfterMs ?? requestMs);
  try {
    const response = await fetch(url, { headers: { range: `bytes=${from}-${from + bytes - 1}` }, signal: scope.signal });
    if (response.status !== 206) throw new Error(`media: ${response.status} ${await response.text()}`);
    const { byteLength } = await response.arrayBuffer();
    if (byteLength !== bytes) throw new Error(`media: ${byteLength} bytes of ${bytes}`);
  } catch (error) {
    if (leaveAfterMs === undefined || !scope.signal.aborted) throw error;
  } finally {
    scope.close();
  }
}

async function must(response: ReturnType<Caller["get"]>): Promise<void> {
  const { status, body } = await response;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body).slice(0, 200)}`);
}

function pick<T>(list: readonly T[], turn: number): T {
  const one = list[turn % list.length];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

const isAccounts = typia.createAssert<{ docs: { platform: string; account: string; phone: string }[] }>();
const isMedia = typia.createAssert<{ docs: { size: number; chatId: string }[] }>();
