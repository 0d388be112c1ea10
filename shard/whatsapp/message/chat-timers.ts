import type { SignalKeyStore } from "@whiskeysockets/baileys";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { Log } from "../../../shared/log/logger.js";
import { recentCache } from "../../flow/recent-cache.js";
import type { SessionMap } from "../../session/session-context.js";
import { userOf } from "../jid.js";
import { otherNames } from "../other-names.js";

/** After how many seconds the messages of a chat disappear, 0 for never, and when that was set, Unix seconds. */
export interface ChatTimer {
  readonly seconds: number;
  readonly setAt: number;
}

type Keys = Pick<SignalKeyStore, "get">;

/**
 * The timers of disappearing messages, by chat. The platform cannot be asked for that of a private chat: each side tells the other with a change and
 * with its messages. So the timers are stored in the session's map in Redis.
 */
export class ChatTimers {
  private readonly writing = new SerialQueue();
  private readonly known = recentCache<{ readonly timer: ChatTimer | undefined }>(chatsMax);

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
        const names = [...(await otherNames(keys, [jid]))];
        for (const name of names) this.known.set(name, { timer });
        await this.map.setMany(new Map(names.map((name) => [fieldOf(name), `[${timer.seconds},${timer.setAt}]`])));
      } catch (error) {
        this.log.warn({ err: error }, "timer of a chat could not be stored");
      }
    });
  }

  /** Resolves with `undefined` for a chat without a timer. */
  async of(keys: Keys, jid: string): Promise<ChatTimer | undefined> {
    await this.idle();
    const timer = await this.read(keys, jid);
    return timer === undefined || timer.seconds === 0 ? undefined : timer;
  }

  clear(): void {
    this.known.clear();
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  private async read(keys: Keys, jid: string): Promise<ChatTimer | undefined> {
    const known = this.known.get(userOf(jid));
    if (known !== undefined) return known.timer;
    const stored = await this.map.getMany([...(await otherNames(keys, [jid]))].map(fieldOf));
    const timers = stored.flatMap((value) => (value === undefined ? [] : parse(value)));
    const timer = timers.sort((a, b) => b.setAt - a.setAt)[0];
    this.known.set(userOf(jid), { timer });
    return timer;
  }
}

const chatsMax = 1_000;

function fieldOf(user: string): string {
  return `timer:${user}`;
}

function parse(value: string): ChatTimer[] {
  const [, seconds, setAt] = /^\[(\d+),(\d+)\]$/.exec(value) ?? [];
  return seconds === undefined || setAt === undefined ? [] : [{ seconds: Number(seconds), setAt: Number(setAt) }];
}
