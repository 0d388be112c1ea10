import { remembered, type Change } from "./change.js";

/**
 * The chats of messages that came while the receiver wants no events. They are stored with the position some seconds later: after a crash
 * before that, the platform sends the same messages again.
 */
export class UnstoredChats {
  private readonly chats = new Map<string, string>();
  /** When the oldest change must be stored, by a steady clock. */
  private dueAt = Number.POSITIVE_INFINITY;

  constructor(private readonly delayMs: number) {}

  /** True if everything is stored. */
  get isEmpty(): boolean {
    return this.dueAt === Number.POSITIVE_INFINITY;
  }

  add(changes: readonly Change[], now: number): void {
    for (const [message, chat] of remembered(changes)) this.chats.set(message, chat);
    this.dueAt = this.chats.size >= chatsMax ? now : Math.min(this.dueAt, now + this.delayMs);
  }

  /** Returns the milliseconds until they must be stored: 0 for now, Infinity if everything is stored. */
  waitMs(now: number): number {
    return Math.max(0, this.dueAt - now);
  }

  /** Returns all chats by message id. The caller stores them with the position. */
  take(): ReadonlyMap<string, string> {
    const taken = new Map(this.chats);
    this.clear();
    return taken;
  }

  clear(): void {
    this.chats.clear();
    this.dueAt = Number.POSITIVE_INFINITY;
  }
}

/** One step of the update log takes as many. */
const chatsMax = 200;
