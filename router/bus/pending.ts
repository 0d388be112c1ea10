import type { OpenEnvelope, Reply } from "../../shared/bus/envelope.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import { newCall, type Call, type CallEvent } from "./call.js";
import { nextCall } from "./next-call.js";

/** A call in flight, over all its tries. */
export class PendingCall {
  private now: Call;
  private readonly waiting: (() => void)[] = [];
  readonly startedAt = performance.now();
  /** The session's previous call in the order of acceptance, for commands whose order counts (`SendOrder`). */
  ahead: PendingCall | undefined;
  /** Owner to whose stream the command is being written. Unset when Redis has replied. */
  writtenTo: SlotToken | undefined;

  /** `envelope`: the envelope of the first try. */
  constructor(
    readonly envelope: OpenEnvelope,
    facts: Pick<CommandFacts, "class" | "session">,
  ) {
    this.now = newCall(facts.class === "read", this.startedAt, { creates: facts.session === "creates", isOnce: facts.class === "once" });
  }

  get call(): Call {
    return this.now;
  }

  apply(event: CallEvent): void {
    const next = nextCall(this.now, event);
    if (next === this.now) return;
    this.now = next;
    this.wake();
  }

  /** Wakes all waiters, which then read the state again. */
  wake(): void {
    for (const go of this.waiting.splice(0)) go();
  }

  /** Resolves at the next change. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }
}

/** All calls of this router in flight. The admission limit of the command client bounds their number. */
export class Pending {
  private readonly byId = new CompactMap<CommandId, PendingCall>();

  get size(): number {
    return this.byId.size;
  }

  add(pending: PendingCall): void {
    this.byId.set(pending.envelope.id, pending);
  }

  remove(id: CommandId): void {
    this.byId.delete(id);
  }

  /** Returns false if no call waits for the reply, or if the reply names another session. */
  resolve({ id, session, outcome, attempt }: Reply): boolean {
    const pending = this.byId.get(id);
    if (pending?.envelope.session !== session) return false;
    pending.apply({ type: "reply", outcome, attempt, now: performance.now() });
    return true;
  }

  all(): PendingCall[] {
    return [...this.byId.values()];
  }
}
