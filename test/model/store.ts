import type { Beat } from "../../shared/cluster/beat-feed.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { Outcome, Reply } from "../../shared/bus/envelope.js";
import type { CommandId } from "../../shared/contract/ids.js";

/** `o:{slot}`. `life`: whose it is in truth, which no script sees. */
export interface OwnerRow extends SlotOwner {
  readonly silent: string;
  readonly host: string;
  readonly life: number;
}

/** `r:{slot}:id` without an idempotency key. */
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
  /** Of the entry with which it was made: milliseconds of Redis times 1,000, and a number. */
  readonly first: number;
  /** The id that was given out last. */
  last: number;
}

interface Write {
  readonly at: number;
  readonly undo: () => void;
}

/** What a full Redis answers to the first write of a script; one that writes nothing succeeds. */
export const refusal = new Error("OOM command not allowed when used memory > 'maxmemory'.");

/** Writes older than this are never lost, ms. */
const lostMostMs = 3_000;

/** What the coordination Redis holds of a cluster. Every write can be undone: a failover forgets the last of them. */
export class Store {
  readonly members = new Map<string, MemberRecord>();
  readonly beats = new Map<string, Beat>();
  readonly owners = new Map<number, OwnerRow>();
  readonly records = new Map<string, CommandRecord>();
  readonly marks = new Map<string, number>();
  readonly streams = new Map<string, Stream>();
  /** Of each session: whose write came last. */
  readonly states = new Map<number, number>();
  refusesWrites = false;
  private readonly writes: Write[] = [];
  /** Writes before the first that may still be lost. */
  private confirmed = 0;

  /** Told of each stream that has grown. */
  onAppended: (name: string) => void = () => undefined;

  /** `clock`: milliseconds that `TIME` tells. `now`: true ones. */
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

  /** XADD with NOMKSTREAM; `undefined` where there is no such stream. */
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

  /** Writes up to this position outlive the server: a replica has them. */
  confirm(position: number): void {
    if (position <= this.confirmed) return;
    this.writes.splice(0, position - this.confirmed);
    this.confirmed = position;
  }

  /** Forgets what was written in the last `ms` and is not confirmed. Returns how many writes that are. */
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

  /** Forgets what expires: records of commands, and marks of their attempts. */
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
