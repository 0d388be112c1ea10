import { setMaxListeners } from "node:events";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import { factsOf, type CommandName, type Input, type Output } from "../../shared/contract/commands.js";
import { serverBusy } from "../../shared/contract/errors.js";
import { newCommandId, type SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { CommandHead, OpenEnvelope, Outcome } from "../../shared/bus/envelope.js";
import type { LocalBus } from "../../shared/bus/local-bus.js";
import { slotOf } from "../../shared/contract/slot.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { Log } from "../../shared/log/logger.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { traced, type SpanPlan, type Tracing } from "../../shared/process/trace/tracing.js";
import { forgottenMs } from "./redis/freshness.js";
import type { CallOptions, KeyedCallOptions } from "./call-options.js";
import { outcomeOf, type CallEvent, type NotSent } from "./call.js";
import { CommandSender, type Turn } from "./command-sender.js";
import { openOutcome } from "./open-outcome.js";
import { LostCalls } from "./lost-calls.js";
import { OwnerFollower } from "./owner-follower.js";
import type { OwnerPort } from "./owner-port.js";
import { Pending, PendingCall } from "./pending.js";
import { ReplyStream } from "./reply-stream.js";
import { SendOrder } from "./send-order.js";
import { SessionLoad } from "./session-load.js";
import { envelopeOfTry } from "./try-envelope.js";

export interface CommandClientOptions {
  /** Name of the reply stream. Unique per start of a router process. */
  router: string;
  writer: RedisClient;
  reader: RedisClient;
  cache: RedisClient;
  owners: OwnerPort;
  ring: KeyRing;
  /** Reaches the shard of this process, if there is one. */
  local?: LocalBus | undefined;
  /** Milliseconds since this process saw that Redis had lost all its data; 0 if it has not. */
  emptiedForMs: () => number;
  metrics: CommandClientMetrics;
  /** Creates a span for each command. */
  tracing?: Tracing | undefined;
  log: Log;
  timing?: ClusterTiming;
}

/** Stages of a request that sends a command, in order of time. The response follows `wait` in the same turn of the event loop. */
export type CommandStage = "check" | "enqueue" | "wait";

export interface CommandClientMetrics {
  observe(command: string, outcome: string, seconds: number): void;
  stage(stage: CommandStage, ms: number): void;
  /** `lost`: Redis lost the command or its reply. */
  repeated(reason: "moved" | "owner-changed" | "lost"): void;
}

/** The router waits this long for a reply after the deadline. The shard tries to send the reply for the same time. */
const replyGraceMs = 2_000;
/** A call that waits for earlier calls reads its slot's owner again after this time. */
const turnPollMs = 250;

/**
 * Sends commands to the shards that own their sessions and waits for the replies. `nextCall` decides each step. Resends keep the command's
 * id, so that the shard's `begin` can recognize them.
 */
export class CommandClient {
  private readonly pending = new Pending();
  private readonly load = new SessionLoad();
  private readonly order = new SendOrder();
  private readonly replies: ReplyStream;
  private readonly sender: CommandSender;
  private readonly follower: OwnerFollower;
  private readonly lost: LostCalls;
  private readonly stopped = new AbortController();

  constructor(private readonly options: CommandClientOptions) {
    const { router, writer, reader, owners, ring, local, emptiedForMs, metrics, log, timing } = options;
    const { pending } = this;
    setMaxListeners(0, this.stopped.signal); // one listener for each call without a signal of its own; their number is limited elsewhere
    this.replies = new ReplyStream({
      router,
      writer,
      reader,
      onReply: (reply) => pending.resolve(reply),
      onLost: () => pending.all().forEach((call) => call.apply({ type: "stream-lost" })),
      log,
    });
    local?.listen((reply) => pending.resolve(reply));
    const sender = new CommandSender({ writer, owners, ring, local, log });
    this.sender = sender;
    this.follower = new OwnerFollower({
      pending,
      owners,
      order: this.order,
      sender,
      readReplies: () => this.replies.readNow(),
      onRepeated: () => metrics.repeated("owner-changed"),
      log,
    });
    this.lost = new LostCalls({ pending, sender, emptiedForMs, onRepeated: () => metrics.repeated("lost"), log, timing });
  }

  get inFlight(): number {
    return this.pending.size;
  }

  async start(): Promise<void> {
    await this.replies.start();
    this.follower.start();
    this.lost.start();
  }

  /** Ends waiting commands with 503 and stops reading replies. */
  async stop(): Promise<void> {
    this.stopped.abort();
    const loopsEnded = [this.follower.stop(), this.lost.stop()];
    for (const pending of this.pending.all()) pending.apply({ type: "router-stops" });
    await Promise.all([...loopsEnded, this.replies.stop()]);
  }

  /**
   * Resolves with the command's output. Rejects with the shard's `ApiError`, with 503 `server busy` when full or without an owner, or with
   * the command's own error past its deadline. Aborting stops only the wait.
   */
  async call<P extends Platform, C extends CommandName<P>>(
    platform: P,
    command: C,
    session: SessionId,
    input: Input<P, C>,
    options: CallOptions = {},
  ): Promise<Output<P, C>> {
    const facts = factsOf(platform, command);
    const envelope = this.envelope(platform, command, session, input, facts, options);
    return (await openOutcome(this.options, envelope, await this.outcomeOf(envelope, facts, options.signal), facts)) as Output<P, C>;
  }

  /** Does the same as `call` for a request with an idempotency key. */
  async callKeyed<P extends Platform, C extends CommandName<P>>(
    platform: P,
    command: C,
    session: SessionId,
    input: Input<P, C>,
    options: KeyedCallOptions,
  ): Promise<{ output: Output<P, C>; replayed: boolean }> {
    const facts = factsOf(platform, command);
    const envelope = this.envelope(platform, command, session, input, facts, options);
    const outcome = await this.outcomeOf(envelope, facts, options.signal);
    const output = (await openOutcome(this.options, envelope, outcome, facts)) as Output<P, C>;
    return { output, replayed: outcome.kind === "ok" && outcome.replayed === true };
  }

  private async outcomeOf(envelope: OpenEnvelope, facts: CommandFacts, signal: Ending | undefined): Promise<Outcome> {
    if (this.stopped.signal.aborted || this.load.refuses(envelope.session)) throw serverBusy();
    const startedAt = performance.now();
    const { tracing } = this.options;
    const ends = signal ?? this.stopped.signal;
    const outcome = await (tracing === undefined
      ? this.exchange(envelope, facts, ends)
      : traced(tracing, spanOf(envelope), ({ traceparent }) => this.exchange({ ...envelope, traceparent }, facts, ends)));
    this.options.metrics.observe(envelope.command, outcome.kind, (performance.now() - startedAt) / 1_000);
    // Once the caller has the result, no router may serve the old record. An unknown outcome may have changed it too.
    if (facts.changesRecord) await pause(forgottenMs);
    return outcome;
  }

  private envelope(
    platform: Platform,
    command: string,
    session: SessionId,
    input: unknown,
    { deadlineMs }: CommandFacts,
    { requestId, idempotency }: Partial<KeyedCallOptions>,
  ): OpenEnvelope {
    return {
      id: newCommandId(),
      platform,
      command,
      session,
      slot: slotOf(session),
      replyTo: this.options.router,
      ttl: deadlineMs,
      attempt: 0,
      opened: input,
      isFirstTry: true,
      // Optional fields stand last and in the same literal: an object that grows after a copy costs microseconds (bench/findings.md).
      ...(requestId === undefined ? {} : { requestId }),
      ...(idempotency === undefined ? {} : { idempotency }),
    };
  }

  private async exchange(envelope: OpenEnvelope, facts: CommandFacts, signal: Ending): Promise<Outcome> {
    const scope = new AbortScope([signal], facts.deadlineMs + replyGraceMs);
    const pending = new PendingCall(envelope, facts);
    const onEnd = (): void => pending.apply({ type: "time-over", wasSent: pending.writtenTo !== undefined });
    if (scope.aborted) onEnd();
    else scope.addEventListener("abort", onEnd);
    this.pending.add(pending);
    const leave = this.load.enter(envelope.session);
    if (facts.lane === "ordered") this.order.enter(pending);
    try {
      const outcome = await this.drive(pending, scope);
      if (outcome.kind === "error" && outcome.refused === true) this.load.refused(envelope.session);
      if (signal.aborted && pending.call.at !== undefined) this.sender.cancel(envelope, pending.call.at);
      return outcome;
    } finally {
      this.pending.remove(envelope.id);
      leave();
      this.order.leave(pending);
      scope.close();
    }
  }

  /** Acts on each state of the call until it has an outcome. `ended` ends every wait. */
  private async drive(pending: PendingCall, ended: Ending): Promise<Outcome> {
    const { owners, metrics } = this.options;
    const { slot } = pending.envelope;
    let sentAt: number | undefined;
    for (;;) {
      const { state } = pending.call;
      switch (state.kind) {
        case "finding-owner":
          if (pending.ahead !== undefined) await this.turn(pending, ended);
          if (pending.call.state === state) {
            const sent = await this.send(pending, state.unsure);
            if (sent === "BEHIND") break;
            pending.apply(sent);
            if (sent.type === "sent" && sentAt === undefined) {
              sentAt = performance.now();
              metrics.stage("enqueue", sentAt - pending.startedAt);
            }
          }
          break;
        case "sent":
          await pending.change();
          break;
        case "moved":
        case "waiting-for-owner":
          if (state.kind === "moved") metrics.repeated("moved");
          owners.forget(slot);
          await owners.change(state.pauseMs, ended);
          // A reply that came during the pause takes precedence.
          if (pending.call.state === state) pending.apply({ type: "pause-over", now: performance.now() });
          break;
        case "answered":
          if (sentAt !== undefined) metrics.stage("wait", performance.now() - sentAt);
          return state.outcome;
        case "expired":
          return { kind: "expired" };
        default:
          return state satisfies never;
      }
    }
  }

  /**
   * Resolves when all earlier calls of the session are in the owner's stream, or when there is no owner. `OwnerFollower` resends the calls
   * of a lost owner.
   */
  private async turn(pending: PendingCall, ended: Ending): Promise<void> {
    const { owners } = this.options;
    const { state } = pending.call;
    while (pending.call.state === state && !ended.aborted) {
      const owner = await owners.owner(pending.envelope.slot).catch(() => undefined);
      const earlier = owner && this.order.before(pending, owner.token);
      if (earlier === undefined) return;
      const changed = new AbortController();
      void earlier.change().then(() => changed.abort());
      await pause(turnPollMs, ended, changed.signal);
    }
  }

  private async send(pending: PendingCall, unsure: boolean): Promise<CallEvent | "BEHIND"> {
    const notSent = (why: NotSent): CallEvent => ({
      type: "not-sent",
      why,
      crowded: this.load.isCrowded(pending.envelope.session),
      now: performance.now(),
    });
    const { isOnce, attempt } = pending.call;
    // A Redis that lost the reply stream may also have lost the record of earlier tries.
    if (isOnce && attempt > 0) {
      const isRead = await this.replies.readNow().then(
        () => true,
        () => false,
      );
      if (!isRead || outcomeOf(pending.call) !== undefined) return notSent(unsure ? "UNSURE" : "NOREDIS");
    }
    // The owner was read after the call's turn came, so earlier calls may now be in another owner's stream.
    const turn: Turn = ({ token }) => {
      if (this.order.before(pending, token) !== undefined) return "BEHIND";
      this.order.write(pending, token);
      const { ahead } = pending;
      return { behind: ahead?.writtenTo === token ? { id: ahead.envelope.id, attempt: ahead.call.attempt } : undefined };
    };
    const sent = await this.sender.send(envelopeOfTry(pending, unsure), unsure, turn);
    pending.writtenTo = undefined;
    if (sent === "BEHIND") return sent;
    return typeof sent === "string" ? notSent(sent) : { type: "sent", ...sent };
  }
}

/** The span covers every try until the outcome. */
function spanOf({ platform, command, slot }: CommandHead): SpanPlan {
  return {
    name: `send ${command}`,
    kind: "client",
    attributes: { "gateway.platform": platform, "gateway.command": command, "gateway.slot": slot },
  };
}
