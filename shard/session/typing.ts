import { typingMs } from "../../shared/limits.js";
import { endsWithin } from "../../shared/flow/ends-within.js";

export type TypingKind = "text" | "audio";

/** How a platform shows and hides the indicator in one chat, named in the platform's own form. */
export interface TypingPort {
  show(chat: string, kind: TypingKind): Promise<void>;
  hide(chat: string): Promise<void>;
}

/**
 * The typing indicators of one session: each disappears 5 seconds after its last request, and all when the session stops. Past `chatsMax`
 * chats the oldest is hidden early.
 */
export class Typing {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly hiding = new Set<Promise<void>>();

  constructor(
    private readonly port: TypingPort,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** True while no indicator is shown. */
  get idle(): boolean {
    return this.timers.size === 0;
  }

  /** Resolves when the platform shows the indicator; a repeat restarts the 5 seconds. */
  async send(chat: string, kind: TypingKind): Promise<void> {
    await this.port.show(chat, kind);
    clearTimeout(this.timers.get(chat));
    this.timers.delete(chat);
    const [oldest] = this.timers.keys();
    if (this.timers.size >= chatsMax && oldest !== undefined) this.hide(oldest);
    this.timers.set(
      chat,
      setTimeout(() => this.hide(chat), typingMs),
    );
  }

  /** Hides every indicator, and waits for that at most a second. */
  async stop(): Promise<void> {
    for (const chat of [...this.timers.keys()]) this.hide(chat);
    await endsWithin(Promise.all(this.hiding), stopMs);
  }

  private hide(chat: string): void {
    clearTimeout(this.timers.get(chat));
    this.timers.delete(chat);
    const hidden = this.port
      .hide(chat)
      .catch(this.onError)
      .finally(() => this.hiding.delete(hidden));
    this.hiding.add(hidden);
  }
}

const chatsMax = 500;
const stopMs = 1_000;
