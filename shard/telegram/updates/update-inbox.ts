import type { Api } from "telegram";
import { Notifier } from "../../flow/notifier.js";

/** What comes in, in the order in which it came. */
export type Intake =
  /** Pushed by the platform, or (`own`) the result of a call of this session. */
  | { readonly kind: "packet"; readonly packet: Api.TypeUpdates; readonly own: boolean }
  /** The result of a call of ours that counts and tells nothing: `message` of `chat` was sent by it, when it sent one. */
  | {
      readonly kind: "counted";
      readonly pts: number;
      readonly count: number;
      readonly sent?: { readonly message: number; readonly chat: string };
    }
  /** Where the platform says that the account stands. */
  | { readonly kind: "state"; readonly state: Api.updates.State };

/**
 * The one queue of a session: whatever happens is appended synchronously, because GramJS keeps order no further than that. At its bound everything
 * in it is dropped, and the reader asks the platform for the difference instead, in which all of it stands again.
 */
export class UpdateInbox {
  private items: Intake[] = [];
  private lost = false;
  private readonly arrived = new Notifier();

  constructor(
    private readonly onLength: (change: number) => void,
    private readonly maxItems = 1_000,
  ) {}

  push(intake: Intake): void {
    if (this.items.length >= this.maxItems) {
      this.clear();
      this.lost = true;
    }
    // Until the reader has heard of the loss, what comes is lost with the rest.
    if (!this.lost) {
      this.items.push(intake);
      this.onLength(1);
    }
    this.arrived.notify();
  }

  /** Aborts when something comes in, at once when something came since the last call. */
  next(): AbortSignal {
    return this.arrived.next();
  }

  /** Everything that waits, up to `max`. `lost`: more than that came, and is gone. */
  take(max: number): { readonly items: readonly Intake[]; readonly lost: boolean } {
    const { lost } = this;
    this.lost = false;
    const items = this.items.splice(0, max);
    if (items.length > 0) this.onLength(-items.length);
    return { items, lost };
  }

  get length(): number {
    return this.items.length;
  }

  clear(): void {
    if (this.items.length > 0) this.onLength(-this.items.length);
    this.items = [];
    this.lost = false;
  }
}
