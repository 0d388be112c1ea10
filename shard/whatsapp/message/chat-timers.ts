import type { SignalKeyStore } from "@whiskeysockets/baileys";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { Log } from "../../../shared/log/logger.js";
import { recentCache } from "../../flow/recent-cache.js";
import type { SessionMap } from "../../session/session-context.js";
import { userOf } from "../jid.js";
import { otherNames } from "../other-names.js";

/** The timer of a chat: after how many seconds its messages disappear, 0 for never, and when it was set, in Unix seconds. */
export interface ChatTimer {
  readonly seconds: number;
  readonly setAt: number;
  /** True when the chat started with the account's default timer. */
  readonly isDefault?: true;
}

/** The chat's messages have never disappeared. */
export const noTimer: ChatTimer = { seconds: 0, setAt: 0 };

type Keys = Pick<SignalKeyStore, "get">;

/**
 * Stores the timers of disappearing messages by chat, in the session's map in Redis. The platform has no query for a private chat's timer:
 * each side sends it with a change and with its messages.
 */
export class ChatTimers {
  private readonly writing = new SerialQueue();
  private readonly cache = recentCache<{ readonly timer: ChatTimer | undefined }>(chatsMax);
  private isComplete = false;

  constructor(
    private readonly map: Pick<SessionMap, "getMany" | "setMany">,
    private readonly log: Log,
  ) {}

  /** Stores a timer unless a later one is known. Never rejects. */
  learn(keys: Keys, jid: string, timer: ChatTimer): void {
    void this.writing.run(async () => {
      try {
        const former = await this.read(keys, jid);
        if (former !== undefined && former.setAt > timer.setAt) return;
        if (former?.seconds === timer.seconds && former.setAt === timer.setAt) return;
        await this.store(keys, jid, timer);
      } catch (error) {
        this.log.warn({ err: error }, "chat timer not stored");
      }
    });
  }

  /** Stores the timer of a chat that got a message, if the chat is unknown. A chat from before the login gets no timer. Never rejects. */
  start(keys: Keys, jid: string, timer: ChatTimer): void {
    void this.writing.run(async () => {
      try {
        if ((await this.read(keys, jid)) !== undefined) return;
        await this.store(keys, jid, (await this.readIsComplete()) ? timer : noTimer);
      } catch (error) {
        this.log.warn({ err: error }, "chat timer not stored");
      }
    });
  }

  /**
   * Stores the timers of all chats that the account had when a device was linked, by JID. Later timers of the same chats stay. Never
   * rejects.
   */
  learnAll(chats: ReadonlyMap<string, ChatTimer>): void {
    void this.writing.run(async () => {
      try {
        const fields = [...chats.keys()].map((jid) => fieldOf(userOf(jid)));
        const stored = fields.length === 0 ? [] : await this.map.getMany(fields);
        const timers = [...chats.values()];
        const changes = fields.flatMap((field, n) => {
          const [former] = parse(stored[n] ?? "");
          const timer = timers[n] ?? noTimer;
          return former !== undefined && former.setAt >= timer.setAt ? [] : [[field, toValue(timer)] as const];
        });
        this.cache.clear();
        await this.map.setMany(new Map([...changes, [completeField, "1"]]));
        this.isComplete = true;
      } catch (error) {
        this.log.warn({ err: error }, "chat timers not stored");
      }
    });
  }

  /** Resolves with true when all chats of the account are stored, so that an unknown chat is a new one. */
  async knowsAll(): Promise<boolean> {
    await this.idle();
    return this.readIsComplete();
  }

  /** Returns the stored timer. Resolves with `undefined` for an unknown chat. */
  async find(keys: Keys, jid: string): Promise<ChatTimer | undefined> {
    await this.idle();
    return this.read(keys, jid);
  }

  clear(): void {
    this.cache.clear();
    this.isComplete = false;
  }

  /** Resolves when all writes are done. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  private async readIsComplete(): Promise<boolean> {
    this.isComplete ||= (await this.map.getMany([completeField]))[0] !== undefined;
    return this.isComplete;
  }

  private async store(keys: Keys, jid: string, timer: ChatTimer): Promise<void> {
    const names = [...(await otherNames(keys, [jid]))];
    for (const name of names) this.cache.set(name, { timer });
    await this.map.setMany(new Map(names.map((name) => [fieldOf(name), toValue(timer)])));
  }

  private async read(keys: Keys, jid: string): Promise<ChatTimer | undefined> {
    const cached = this.cache.get(userOf(jid));
    if (cached !== undefined) return cached.timer;
    const stored = await this.map.getMany([...(await otherNames(keys, [jid]))].map(fieldOf));
    const timers = stored.flatMap((value) => (value === undefined ? [] : parse(value)));
    const timer = timers.sort((a, b) => b.setAt - a.setAt)[0];
    this.cache.set(userOf(jid), { timer });
    return timer;
  }
}

const chatsMax = 1_000;
/** No user part has this form, so it cannot collide with a chat. */
const completeField = "timers";

function fieldOf(user: string): string {
  return `timer:${user}`;
}

/** Encodes a timer as JSON, like all values of the map. */
function toValue({ seconds, setAt, isDefault }: ChatTimer): string {
  return JSON.stringify([seconds, setAt, ...(isDefault === true ? [true] : [])]);
}

function parse(value: string): ChatTimer[] {
  const [, seconds, setAt, isDefault] = /^\[(\d+),(\d+)(,true)?\]$/.exec(value) ?? [];
  if (seconds === undefined || setAt === undefined) return [];
  return [{ seconds: Number(seconds), setAt: Number(setAt), ...(isDefault === undefined ? {} : { isDefault: true }) }];
}
