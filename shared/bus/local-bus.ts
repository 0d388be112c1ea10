import type { CommandId } from "../contract/ids.js";
import { CompactMap } from "../flow/compact-map.js";
import { commandStreamMax } from "../limits.js";
import { LocalChunks } from "../media/local-chunks.js";
import type { OpenEnvelope, Reply } from "./envelope.js";

/** A command or a cancellation on its way to this process's own shard. */
export type LocalEntry = { readonly id: string } & ({ readonly envelope: OpenEnvelope } | { readonly cancelled: CommandId });

/** The shard's side of the bus. */
export interface LocalReader {
  /** Called for each entry in order; must not throw and must not wait. */
  onEntry(entry: LocalEntry): void;
  /** While it returns false, entries wait in the bus. */
  wants(): boolean;
}

/** Pause before the bus offers waiting entries again, as long as that of a stream. */
const fullPauseMs = 10;

/**
 * Carries commands and replies between the router and the shard of one process, without Redis. It keeps the order and the limit of a
 * command stream. What it holds ends with the process, and so do the requests that wait for it.
 */
export class LocalBus {
  /** Bytes of media, which are no part of a reply. */
  readonly chunks = new LocalChunks();
  private reader: LocalReader | undefined;
  private onReply: (reply: Reply) => void = () => undefined;
  private waiting: LocalEntry[] = [];
  /** Commands without a stored outcome, and the monotonic milliseconds at which they came. */
  private readonly open = new CompactMap<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private last = 0;

  /** `member`: name of this process's shard. */
  constructor(private readonly member: string) {}

  /** Number of commands whose outcome is not yet stored. */
  get entries(): number {
    return this.open.size;
  }

  /** Returns whether the member's commands go over this bus. */
  serves(member: string): boolean {
    return member === this.member && this.reader !== undefined;
  }

  /** Begins to deliver entries. */
  read(reader: LocalReader): void {
    this.reader = reader;
  }

  /** Delivers no further entries. */
  stop(): void {
    this.reader = undefined;
    clearTimeout(this.timer);
    this.waiting = [];
  }

  /** Calls the listener with each reply. */
  listen(onReply: (reply: Reply) => void): void {
    this.onReply = onReply;
  }

  /** Returns the entry's id, or `BUSY` when as many commands are open as a stream may hold. */
  enqueue(envelope: OpenEnvelope): string {
    if (this.open.size >= commandStreamMax) return "BUSY";
    const id = this.nextId();
    this.open.set(id, performance.now());
    this.put({ id, envelope });
    return id;
  }

  /** Sends a cancellation behind the command itself, because its caller has gone. */
  cancel(cancelled: CommandId): void {
    this.put({ id: this.nextId(), cancelled });
  }

  /** Returns the milliseconds since the command came. */
  ageOf(id: string): number {
    const now = performance.now();
    return now - (this.open.get(id) ?? now);
  }

  reply(reply: Reply): void {
    this.onReply(reply);
  }

  /** Frees the place of a command. */
  done(id: string): void {
    this.open.delete(id);
  }

  private nextId(): string {
    this.last += 1;
    return `local-${this.last}`;
  }

  private put(entry: LocalEntry): void {
    if (this.waiting.length === 0 && this.reader?.wants() === true) return this.reader.onEntry(entry);
    this.waiting.push(entry);
    this.timer ??= setTimeout(() => this.deliver(), fullPauseMs);
  }

  private deliver(): void {
    this.timer = undefined;
    while (this.reader?.wants() === true) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.reader.onEntry(next);
    }
    if (this.reader !== undefined) this.timer = setTimeout(() => this.deliver(), fullPauseMs);
  }
}
