import type { Outcome, Reply } from "../../shared/bus/envelope.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { CommandId } from "../../shared/contract/ids.js";
import { commandStreamMax } from "../../shared/limits.js";
import type { CommandClass } from "../../shared/contract/command-row.js";
import type { Begun, Earlier } from "../../shard/bus/record-plan.js";
import type { Guards } from "./guards.js";
import type { SlotOperations } from "./slot-operations.js";
import type { Store } from "./store.js";
import type { Truth } from "./truth.js";

/** The fields that name a command's record. */
export interface RecordOf {
  readonly slot: number;
  readonly token: SlotToken;
  readonly id: CommandId;
  /** The process that really writes. */
  readonly life: number;
}

/** Models the scripts of the bus, one method each, without idempotency keys and waiting calls. Models single stream commands too. */
export class CommandOperations {
  constructor(
    private readonly store: Store,
    private readonly guards: Guards,
    private readonly slots: SlotOperations,
    private readonly truth: Pick<Truth, "written" | "beginning" | "unknown">,
  ) {}

  /** Models `begin.lua`. Returns `"FENCED"` when the token is stale. */
  begin({ slot, token, id, life }: RecordOf, commandClass: Exclude<CommandClass, "read">, claim: string): Begun | "FENCED" {
    const owner = this.slots.fenced(slot, token);
    if (owner === undefined) return "FENCED";
    this.truth.written("begin", slot, life, owner.life);
    const record = this.store.records.get(id);
    if (record?.state === "done") return { kind: "done", outcome: record.outcome };
    if (record === undefined || !this.guards.beginRecord) return this.started(id, 1, claim);
    if (this.guards.claim && record.claim === claim) return { kind: "run", repeats: record.runs - 1 };
    if (commandClass === "once") {
      this.truth.unknown(id, claim);
      return { kind: "unknown" };
    }
    return this.started(id, record.runs + 1, claim);
  }

  /** Models `finish.lua`. Returns false when the token is stale. */
  finish({ slot, token, id, life }: RecordOf, outcome: Outcome): boolean {
    const owner = this.slots.fenced(slot, token);
    if (owner === undefined) return false;
    this.truth.written("finish", slot, life, owner.life);
    this.store.set(this.store.records, id, { state: "done", outcome });
    return true;
  }

  /** Models `read.lua` with the result of `judgeRecord`. */
  look(id: CommandId): Earlier {
    const record = this.store.records.get(id);
    if (record === undefined) return undefined;
    return record.state === "done" ? record.outcome : "begun";
  }

  /** Models `enqueue.lua` without a call ahead. */
  enqueue(member: string, id: CommandId, attempt: number, bytes: Buffer): number | "NOMEMBER" | "BUSY" {
    const mark = `${member} ${id} ${attempt}`;
    const before = this.store.marks.get(mark);
    if (before !== undefined) return before;
    const stream = this.store.streams.get(member);
    if (stream === undefined) return "NOMEMBER";
    if (stream.entries.size >= commandStreamMax) return "BUSY";
    const entry = this.store.append(member, { kind: "command", bytes }) ?? 0;
    this.store.set(this.store.marks, mark, entry);
    return entry;
  }

  /** Models `gone.lua`. Returns the entries that are missing. */
  gone(member: string, entries: readonly number[]): number[] {
    const stream = this.store.streams.get(member);
    return entries.filter((entry) => stream?.entries.has(entry) !== true);
  }

  /** Models XADD NOMKSTREAM of a reply. Returns false when the router has no stream. */
  reply(router: string, reply: Reply): boolean {
    return this.store.append(router, { kind: "reply", reply }) !== undefined;
  }

  /** Models XDEL. */
  done(member: string, entry: number): void {
    const stream = this.store.streams.get(member);
    if (stream !== undefined) this.store.delete(stream.entries, entry);
  }

  /** Models XGROUP CREATE MKSTREAM of a shard, or XADD of a router. Entry ids of the stream start above `above`. */
  makeStream(name: string, above = 0): number {
    const stream = this.store.streams.get(name);
    if (stream !== undefined) return stream.last;
    const last = Math.max(above, this.store.clock() * 1_000);
    this.store.set(this.store.streams, name, { entries: new Map(), first: last, last });
    return last;
  }

  private started(id: CommandId, runs: number, claim: string): Begun {
    this.store.set(this.store.records, id, { state: "started", runs, claim });
    this.truth.beginning(id, claim);
    return { kind: "run", repeats: runs - 1 };
  }
}
