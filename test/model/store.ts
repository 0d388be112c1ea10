import type { Beat } from "../../shared/cluster/beat-feed.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { Outcome, Reply } from "../../shared/bus/envelope.js";
import type { CommandId } from "../../shared/contract/ids.js";

/** The key `o:{slot}`. `life` is the process that really owns it, which no script sees. */
export interface OwnerRow extends SlotOwner {
  readonly silent: string;
  readonly host: string;
  readonly life: number;
}

/** The key `r:{slot}:id` without an idempotency key. */
export type CommandRecord =
  | { readonly state: "started"; readonly runs: number; readonly claim: string }
  | { readonly state: "done"; readonly outcome: Outcome };

/** An entry of a command stream or of a reply stream. */
export type Entry =
  | { readonly kind: "command"; readonly bytes: Buffer }
  | { readonly kind: "cancel"; readonly id: CommandId }
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "empty" };

export interface Stream {
  readonly entries: Map<number, Entry>;
  /** Id of the entry that created the stream: milliseconds of Redis times 1,000, plus a number. */
  readonly first: number;
  /** Id of the last entry that was added. */
  last: number;
}

interface Write {
  readonly at: number;
  readonly undo: () => void;
}

/** The error of a full Redis at the first write of a script. A script without writes succeeds. */
export const refusal = new Error("OOM command not allowed when used memory > 'maxmemory'.");

/** Writes older than this are never lost (ms). */
const lostMostMs = 3_000;

/** Models the data of the coordination Redis. Every write can be undone, because a failover loses the last ones. */
export class Store {
  readonly members = new Map<string, MemberRecord>();
  readonly beats = new Map<string, Beat>();
  readonly owners = new Map<number, OwnerRow>();
  readonly records = new Map<string, CommandRecord>();
  readonly marks = new Map<string, number>();
  readonly streams = new Map<string, Stream>();
  /** The process whose write came last, by slot. */
  readonly states = new Map<number, number>();
  refusesWrites = false;
  private readonly writes: Write[] = [];
  /** Number of confirmed writes, which cannot be lost. */
  private confirmed = 0;

  /** Receives the name of each stream that has grown. */
  onAppended: (name: string) => void = () => undefined;

  /** `clock` returns the milliseconds of `TIME`, and `now` returns the true ones. */
  constructor(
    readonly clock: () => number,
    private readonly now: () => number,
  ) {}

  requireWritable(): void {
    if (this.refusesWrites) throw refusal;
  }

  set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    this.requireWritable();
    const before = map.get(key);
    map.set(key, value);
    this.log(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }

  delete<Key, Value>(map: Map<Key, Value>, key: Key): void {
    this.requireWritable();
    const before = map.get(key);
    if (before === undefined) return;
    map.delete(key);
    this.log(() => map.set(key, before));
  }

  /** Models XADD NOMKSTREAM. Returns `undefined` when there is no such stream. */
  append(name: string, entry: Entry): number | undefined {
    const stream = this.streams.get(name);
    if (stream === undefined) return undefined;
    this.requireWritable();
    const before = stream.last;
    stream.last = Math.max(before + 1, this.clock() * 1_000);
    this.log(() => (stream.last = before));
    this.set(stream.entries, stream.last, entry);
    this.onAppended(name);
    return stream.last;
  }

  /** Number of writes so far. */
  get position(): number {
    return this.confirmed + this.writes.length;
  }

  /** Confirms writes up to this position. They survive a failover because a replica has them. */
  confirm(position: number): void {
    if (position <= this.confirmed) return;
    this.writes.splice(0, position - this.confirmed);
    this.confirmed = position;
  }

  /** Forgets unconfirmed writes of the last `ms`. Returns their number. */
  forget(ms: number): number {
    const since = this.now() - ms;
    const before = this.position;
    let count = 0;
    for (let last = this.writes.at(-1); last !== undefined && last.at > since; last = this.writes.at(-1)) {
      this.writes.pop();
      last.undo();
      count += 1;
    }
    this.writes.length = 0;
    this.confirmed = before;
    return count;
  }

  /** Forgets everything that expires: records of commands, and marks of their attempts. */
  expire(): void {
    this.confirm(this.position);
    this.records.clear();
    this.marks.clear();
  }

  private log(undo: () => void): void {
    const { writes } = this;
    writes.push({ at: this.now(), undo });
    if (writes.length < 2_048) return;
    const since = this.now() - lostMostMs;
    const kept = writes.findIndex(({ at }) => at > since);
    this.confirm(this.confirmed + (kept < 0 ? writes.length : kept));
  }
}
