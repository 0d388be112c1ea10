import type { Envelope, OpenEnvelope } from "../../shared/bus/envelope.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import { newCall, outcomeOf, type Call, type CallEvent } from "../../router/bus/call.js";
import { nextCall } from "../../router/bus/next-call.js";
import type { Guards } from "./guards.js";
import type { Machine, Wake } from "./machine.js";

/** Models `PendingCall` of `router/bus/pending.ts`: a call that waits for its outcome. */
export class RouterCall {
  private now: Call;
  /** A request to put the call into a stream is in flight (`writtenTo` of the product). */
  isAsked = false;
  private waiting: Wake[] = [];
  private readonly startedAt: number;

  constructor(
    private readonly machine: Machine,
    readonly envelope: Envelope,
    facts: CommandFacts,
    private readonly guards: Guards,
  ) {
    this.startedAt = machine.now();
    this.now = newCall(facts.class === "read", this.startedAt, { isOnce: facts.class === "once" });
  }

  get call(): Call {
    return this.now;
  }

  get isOver(): boolean {
    return outcomeOf(this.now) !== undefined;
  }

  /** Models `envelopeOfTry` of `router/bus/try-envelope.ts`: the envelope of the next attempt, with the remaining time. */
  get envelopeOfTry(): Envelope {
    const { envelope, call, machine, startedAt, guards } = this;
    const ttl = Math.max(1, Math.round(envelope.ttl - (machine.now() - startedAt)));
    return { ...envelope, attempt: call.attempt, ttl, ...(call.unrecorded && guards.begunInResend ? { begun: true } : {}) };
  }

  /** Returns the same for the shard of this process. */
  openEnvelopeOfTry(unsure: boolean): OpenEnvelope {
    const { input, ...head } = this.envelopeOfTry;
    return { ...head, opened: input, isFirstTry: head.attempt === 0 && !unsure };
  }

  apply(event: CallEvent): void {
    const next = nextCall(this.now, event);
    if (next === this.now) return;
    this.now = next;
    for (const wake of this.waiting.splice(0)) wake.ok();
  }

  /** Resolves at the next change of the call. */
  change(): (wake: Wake) => void {
    return (wake) => this.waiting.push(wake);
  }
}
