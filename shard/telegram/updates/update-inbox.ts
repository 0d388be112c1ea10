import type { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { Notifier } from "../../flow/notifier.js";

/** Input of the update reader, in order of arrival. */
export type Intake =
  /** Pushed by the platform, or (`own`) the result of a call of this session. */
  | { readonly kind: "packet"; readonly packet: Api.TypeUpdates; readonly own: boolean }
  /** The result of an own call that only moves the count, of `channel` (a marked id) if set. `sent` is set when the call sent a message. */
  | {
      readonly kind: "counted";
      readonly pts: number;
      readonly count: number;
      readonly sent?: { readonly message: number; readonly chat: string };
      readonly channel?: string;
    }
  /** The position of the account on the platform. */
  | { readonly kind: "state"; readonly state: Api.updates.State }
  /** Positions of channels on the platform, as the list of chats has them. Pushes before them were pushed before the list was read. */
  | { readonly kind: "channels"; readonly rows: readonly ChannelRow[] };

/** A channel or supergroup, by its marked id, with its count and the id of its newest message. */
export interface ChannelRow {
  readonly channel: string;
  readonly pts: number;
  readonly newest: number;
}

/**
 * The input queue of a session. Input is appended synchronously, because GramJS keeps the order only until here. When the queue is full,
 * all input is dropped and the reader fetches the difference instead.
 */
export class UpdateInbox {
  private items: Intake[] = [];
  private lost = false;
  private readonly arrived = new Notifier();
  /** Wakes the reader for input that can wait. */
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly onLength: (change: number) => void,
    private readonly maxItems = 1_000,
  ) {}

  /** `canWait`: the reader need not be woken at once, because the input can give no event. */
  push(intake: Intake, canWait = false): void {
    if (this.items.length >= this.maxItems) {
      this.clear();
      this.lost = true;
    }
    // Until the reader has handled the loss, further input is dropped as well.
    if (!this.lost) {
      this.items.push(intake);
      this.onLength(1);
    }
    if (!canWait || this.lost || this.items.length >= waitingMax) this.wake();
    else this.timer ??= setTimeout(() => this.wake(), waitMs).unref();
  }

  /** Ends the wait for input as if some had arrived. */
  wake(): void {
    this.stopTimer();
    this.arrived.notify();
  }

  /** Returns a signal that aborts on new input, at once if some arrived since the last call. */
  next(): Ending {
    return this.arrived.next();
  }

  /** Removes and returns up to `max` entries. `lost`: the queue was full and its entries were dropped. */
  take(max: number): { readonly items: readonly Intake[]; readonly lost: boolean } {
    const { lost } = this;
    this.lost = false;
    this.stopTimer();
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
    this.stopTimer();
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** Input that can wait wakes the reader after this time, or when this much of it has collected. */
const waitMs = 250;
const waitingMax = 100;
