import { randomUUID } from "node:crypto";
import { ApiError } from "../../shared/contract/api-error.js";
import type { CommandCall, CommandClass, CommandPolicy } from "../../shared/contract/commands.js";
import { deadlineError } from "../../shared/contract/deadline-error.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import { policies } from "../../shared/contract/policies.js";
import {
  internal,
  serverBusy,
  sessionNotActive,
  sessionNotConnected,
  sessionNotDeleted,
  sessionNotFound,
} from "../../shared/contract/errors.js";
import { parseEnvelope, sealedContext, type Envelope, type Outcome } from "../../shared/bus/envelope.js";
import { insist, insistWhile } from "../redis/insist.js";
import type { RedisClock } from "../redis/redis-clock.js";
import { StreamReader, type StreamEntry } from "../../shared/bus/stream-reader.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { KeyRing } from "../../shared/crypto/key-ring.js";
import type { Log } from "../../shared/log/logger.js";
import { openScope, untilAborted } from "../../shared/flow/abort-scope.js";
import { FairShares } from "../../shared/flow/fair-shares.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { redisTrouble } from "../../shared/redis/redis-trouble.js";
import { FencedError } from "../../shared/redis/script.js";
import type { Host } from "../host/host.js";
import type { SlotKeeper } from "../host/slot-keeper.js";
import type { AnyCommand, CommandTable } from "../session/platform-adapter.js";
import type { Session } from "../session/session.js";
import { CommandLog } from "./command-log.js";
import { laneOf, Lanes } from "./lanes.js";
import { ReplyWriter } from "./reply-writer.js";

export interface CommandServerOptions {
  member: string;
  writer: RedisClient;
  reader: RedisClient;
  cache: RedisClient;
  clock: RedisClock;
  host: Host;
  slots: SlotKeeper;
  platforms: Readonly<Record<Platform, { readonly commands: CommandTable }>>;
  ring: KeyRing;
  /** How many commands wait for a file of their caller's: downloads have bounds of their own (`Downloader`), and such a command holds no place here. */
  parked?: () => number;
  metrics: CommandServerMetrics;
  log: Log;
}

export interface CommandServerMetrics {
  observe(command: string, commandClass: CommandClass, outcome: string, seconds: number): void;
  age(seconds: number): void;
  repeated(): void;
  /** `share`: its session has its part of this shard's places; `queue`: its session's lane is full; `left`: its caller had gone before it began. */
  turnedAway(reason: "share" | "queue" | "left"): void;
}

/** What ends a running command: its slot leaves (or its caller, of a read); `any` also ends with its time. */
interface Ends {
  left: AbortSignal;
  any: AbortSignal;
}

interface Run {
  /** Whether this try, or a former life's of the same entry, may have had its effect. */
  begun: boolean;
  /** Nobody can tell any more that nothing has begun: its record is being written, or a former try may have gone as far. */
  recording: boolean;
  /** Its caller left before it began. */
  dropped: boolean;
  /** The platform's part has begun: what fails from then on may have had its effect. */
  dispatched: boolean;
}

interface InFlight {
  entry: string;
  slot: number;
  run: Run;
  end: AbortController;
  done: Promise<void>;
  /** The same command, sent again meanwhile: its latest try. */
  again: StreamEntry | undefined;
}

/** Commands that this process works on or has queued, but for those that wait for a file; past it the rest waits in the stream, where the router's cap refuses more. Sessions share it fairly. */
const inFlightMax = 1_000;
const settleWaitMs = 10_000;
/** How often a command that may have been sent looks whether its session is connected again. */
const reconnectLookMs = 250;
/** A command that so many owners died over, or lost, kills them: it stops here (poison). */
const livesMax = 4;
/** A Redis that takes no writes is waited for so long before anything has begun, as routers wait for one that does not answer. */
const refusedWaitMs = 5_000;
/** As long past its deadline a reply is still tried: so long the router waits. */
const replyGraceMs = 2_000;
/** Reliability sheet 2.4: reads are cut after 5 s of a planned move, a send that has begun is waited for. */
const drainReadMs = 5_000;
const drainSendMs = 30_000;

/** Runs what arrives in this member's command stream (house style, "Data flow"; reliability sheet 2.5, steps 2 to 7). */
export class CommandServer {
  private readonly stream: string;
  private readonly commands: StreamReader;
  private readonly replies: ReplyWriter;
  private readonly commandLog: CommandLog;
  private readonly lanes = new Lanes();
  private readonly shares: FairShares;
  private readonly inFlight = new CompactMap<CommandId, InFlight>();
  /** Those in flight that may be cut and asked again. */
  private readonly reads = new CompactMap<CommandId, true>();
  private stopped = false;

  constructor(private readonly options: CommandServerOptions) {
    this.stream = keys.commands(options.member);
    this.replies = new ReplyWriter(options.writer, options.cache, this.stream);
    this.commandLog = new CommandLog(options.writer);
    const places = (): number => inFlightMax + (options.parked?.() ?? 0);
    this.shares = new FairShares(places);
    this.commands = new StreamReader({
      redis: options.reader,
      stream: this.stream,
      // One consumer name for ever: what a former incarnation, or a connection that was cut, had read and not finished is taken up.
      group: { name: keys.commandGroup, consumer: options.member },
      onEntry: (entry) => this.receive(entry),
      onMissing: () => this.makeStream(),
      wants: () => this.inFlight.size < places(),
      log: options.log,
    });
  }

  get running(): number {
    return this.inFlight.size;
  }

  /** Makes the stream (routers never do), takes up what a former incarnation left in it, then reads on. */
  async start(): Promise<void> {
    await this.makeStream();
    this.commands.start();
  }

  /** No further commands; those that run are waited for by the slots' drain. What is unread stays in the stream. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.commands.stop();
    for (const { end } of this.inFlight.values()) end.abort();
    await Promise.allSettled([...this.inFlight.values()].map(({ done }) => done));
  }

  /** Before a slot is given away: waits for its commands, bounded (reliability sheet 2.4, step 3). */
  async quiesce(slot: number): Promise<void> {
    const mine = [...this.inFlight.values()].filter((command) => command.slot === slot);
    if (mine.length === 0) return;
    const timer = setTimeout(() => mine.forEach(({ end }) => end.abort()), drainSendMs);
    const cut = setTimeout(() => this.cutReads(slot), drainReadMs);
    await Promise.allSettled(mine.map(({ done }) => done));
    clearTimeout(timer);
    clearTimeout(cut);
  }

  /** The slot is gone already: nothing of it may go on. */
  abandon(slots: readonly number[]): void {
    const lost = new Set(slots);
    for (const command of this.inFlight.values()) if (lost.has(command.slot)) command.end.abort();
  }

  private async makeStream(): Promise<void> {
    try {
      await this.options.writer.xgroup("CREATE", this.stream, keys.commandGroup, "0", "MKSTREAM");
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("BUSYGROUP")) throw error;
    }
  }

  private cutReads(slot: number): void {
    for (const [id, command] of this.inFlight) if (command.slot === slot && this.reads.has(id)) command.end.abort();
  }

  private receive(entry: StreamEntry): void {
    const cancelled = entry.fields.get("x");
    if (cancelled !== undefined) return this.cancel(entry.id, cancelled);
    const envelope = parseEnvelope(entry.fields.get("e") ?? "");
    if (envelope === undefined) {
      this.options.log.error({ entry: entry.id }, "envelope cannot be read");
      void this.replies
        .bury(entry.id, entry.fields)
        .catch((error: unknown) => this.options.log.warn({ err: error }, "envelope could not be buried"));
      return;
    }
    const running = this.inFlight.get(envelope.id);
    if (running !== undefined) return this.repeat(running, entry);
    const end = new AbortController();
    const begun = entry.again === true;
    const run: Run = { begun, recording: begun || envelope.attempt > 0, dropped: false, dispatched: false };
    const key = shareOf(envelope);
    // What may have begun elsewhere is never refused: the refusal would be a lie.
    const release = run.recording || this.shares.hasShare(key) ? this.shares.take(key) : undefined;
    const done = this.work(entry, envelope, run, end.signal, release !== undefined).then(() => {
      release?.();
      this.ended(envelope.id);
    });
    this.inFlight.set(envelope.id, { entry: entry.id, slot: envelope.slot, run, end, done, again: undefined });
  }

  /**
   * A command that is here already. The same entry, seen again after a reconnect, goes when its run ends. Another try is taken up then: this one's answer
   * may have gone out before the router sent that, a refusal for example, and nobody would answer the other.
   */
  private repeat(running: InFlight, entry: StreamEntry): void {
    if (running.entry === entry.id || running.again?.id === entry.id) return;
    if (running.again !== undefined) this.forget(running.again.id);
    running.again = entry;
  }

  private ended(id: CommandId): void {
    const again = this.inFlight.get(id)?.again;
    this.inFlight.delete(id);
    this.reads.delete(id);
    // At the process's end it stays in the stream, like what is unread.
    if (again !== undefined && !this.stopped) this.receive(again);
  }

  private cancel(entryId: string, id: string): void {
    // Reads stop, and what has not begun is dropped. A send that has begun must come to its end so that its record is true.
    for (const [running, command] of this.inFlight) {
      if (running !== id || (command.run.recording && !this.reads.has(running))) continue;
      command.run.dropped = !this.reads.has(running);
      command.end.abort();
      if (command.again !== undefined) this.forget(command.again.id);
      command.again = undefined;
    }
    this.forget(entryId);
  }

  private forget(entryId: string): void {
    this.replies.done(entryId).catch((error: unknown) => this.options.log.warn({ err: error }, "entry could not be acknowledged"));
  }

  /** Never rejects. */
  private async work(entry: StreamEntry, envelope: Envelope, run: Run, signal: AbortSignal, admitted: boolean): Promise<void> {
    const startedAt = performance.now();
    const policy = policyOf(envelope);
    try {
      const outcome = admitted ? await this.outcome(entry, envelope, policy, run, signal) : this.turnAway("share");
      await this.answer(entry, envelope, outcome, signal);
      this.options.metrics.observe(envelope.command, policy?.class ?? "read", outcome.kind, (performance.now() - startedAt) / 1_000);
    } catch (error) {
      // Nobody waits any more. The entry is seen again when Redis is back, and goes then.
      this.options.log.warn({ command: envelope.command, id: envelope.id, err: error }, "reply could not be sent");
    }
  }

  /** Tried for as long as the router waits. */
  private async answer(entry: StreamEntry, envelope: Envelope, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const waited = openScope([signal], Math.max(0, envelope.ttl - this.options.clock.ageOf(entry.id) + replyGraceMs));
    try {
      await insist(() => this.replies.reply(envelope, outcome), waited.signal);
      await insist(() => this.replies.done(entry.id), waited.signal);
    } finally {
      waited.close();
    }
  }

  /** Its session's own load: nothing of it has begun. */
  private turnAway(reason: "share" | "queue"): Outcome {
    this.options.metrics.turnedAway(reason);
    return { ...toOutcome(serverBusy()), refused: true };
  }

  private async outcome(
    entry: StreamEntry,
    envelope: Envelope,
    policy: CommandPolicy | undefined,
    run: Run,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { commands } = this.options.platforms[envelope.platform];
    const command = Object.hasOwn(commands, envelope.command) ? commands[envelope.command] : undefined;
    if (policy === undefined || command === undefined) return toOutcome(internal(new Error(`unknown command ${envelope.command}`)));
    this.options.metrics.age(this.options.clock.ageOf(entry.id) / 1_000);
    await this.options.host.loaded(envelope.slot);
    // Measured behind that wait, which may take a takeover's seconds: its caller has been told meanwhile that its time is over.
    const leftMs = envelope.ttl - this.options.clock.ageOf(entry.id);
    if (leftMs <= 0) return { kind: "expired" };
    const token = this.options.slots.token(envelope.slot);
    if (token === undefined) return moved(run);
    if (policy.class === "read") this.reads.set(envelope.id, true);
    const scope = openScope([signal], leftMs);
    const leave = await this.lanes.enter(envelope.session, laneOf(envelope.command, policy.class), scope.signal, !run.recording);
    try {
      if (run.dropped) return this.drop();
      if (signal.aborted || this.options.slots.token(envelope.slot) !== token) return moved(run);
      if (scope.signal.aborted) return { kind: "expired" };
      if (leave === undefined) return this.turnAway("queue");
      return await this.recorded(envelope, policy, command, token, { left: signal, any: scope.signal }, leave, run);
    } catch (error) {
      if (run.dropped) return this.drop();
      if (error instanceof FencedError) return moved(run);
      // Cut because its slot leaves: asked again at the next owner, under the same id. A read that was cancelled has nobody waiting.
      if (signal.aborted) return moved(run);
      return this.failure(envelope, policy, error, run, scope.signal);
    } finally {
      scope.close();
      leave?.();
    }
  }

  /** Nobody waits for its outcome. */
  private drop(): Outcome {
    this.options.metrics.turnedAway("left");
    return { kind: "expired" };
  }

  /** Sends and once-only commands run between `begin` and `finish`; reads run as they are. */
  private async recorded(
    envelope: Envelope,
    policy: CommandPolicy,
    command: AnyCommand,
    token: SlotToken,
    ends: Ends,
    letPass: () => void,
    run: Run,
  ): Promise<Outcome> {
    if (policy.class === "read") return { kind: "ok", output: await this.dispatch(envelope, policy, command, run, ends.any, letPass) };
    const earlier = await this.settledFor(envelope, policy, ends.any, letPass, run);
    if (earlier !== undefined) return earlier;
    const [commandClass, claim] = [policy.class, randomUUID()];
    // From here on it is not dropped.
    run.recording = true;
    const begun = await insist(
      () => this.commandLog.begin(envelope.slot, token, envelope.id, commandClass, claim),
      ends.any,
      refusedWaitMs,
    );
    if (begun.kind === "done") return begun.outcome;
    if (begun.kind === "unknown") {
      this.options.log.error({ command: envelope.command, id: envelope.id }, "outcome of an earlier try is unknown, not repeated");
      return toOutcome(internal());
    }
    run.begun = true;
    if (begun.repeats >= livesMax) {
      this.options.log.error({ command: envelope.command, id: envelope.id }, "command outlived its owners too often");
      return toOutcome(internal());
    }
    if (begun.repeats > 0) this.options.metrics.repeated();
    const outcome = await this.dispatch(envelope, policy, command, run, ends.any, letPass).then(
      (output): Outcome => ({ kind: "ok", output }),
      (error: unknown): Outcome => {
        // Nothing is recorded of one whose slot left under it: the next owner knows that it was begun, and repeats it or does not.
        if (error instanceof FencedError || ends.left.aborted) throw error;
        return this.failure(envelope, policy, error, run, ends.any);
      },
    );
    // A deleted session's slot is still ours: the record stays writable.
    await insist(() => this.commandLog.finish(envelope.slot, token, envelope.id, outcome), ends.left);
    return outcome;
  }

  /**
   * After a takeover the first connect is under way. A command that waits for it has not begun by that, so that another death meanwhile leaves no doubt; the
   * outcome of an earlier try needs no connection. One that a dead owner had begun may have been sent: it waits for as long as it has, because "not connected"
   * would say that it was not.
   */
  private async settledFor(
    envelope: Envelope,
    policy: CommandPolicy,
    signal: AbortSignal,
    letPass: () => void,
    run: Run,
  ): Promise<Outcome | undefined> {
    const live = this.options.host.get(envelope.platform, envelope.session);
    if (live === undefined || !policy.needsConnection || live.state().kind === "connected") return undefined;
    const earlier = await insist(() => this.commandLog.look(envelope.slot, envelope.id), signal);
    if (earlier !== undefined && earlier !== "begun") return earlier;
    run.begun ||= earlier === "begun";
    await this.settled(live, signal);
    if (live.state().kind === "connected") return undefined;
    if (live.signal.aborted) throw sessionNotActive();
    if (earlier === undefined) throw sessionNotConnected();
    letPass();
    while (policy.class === "send" && !live.signal.aborted && live.state().kind === "disconnected")
      await untilAborted(expiry(reconnectLookMs), signal);
    return undefined;
  }

  private async settled(live: Session, signal: AbortSignal): Promise<void> {
    this.options.host.hurry(live.id);
    await untilAborted(Promise.race([live.settled, expiry(settleWaitMs)]), signal);
  }

  private async dispatch(
    envelope: Envelope,
    policy: CommandPolicy,
    command: AnyCommand,
    runOf: Run,
    signal: AbortSignal,
    letPass: () => void,
  ): Promise<unknown> {
    const input = envelope.sealed
      ? (JSON.parse(this.options.ring.open(String(envelope.input), sealedContext(envelope.id)).toString()) as unknown)
      : envelope.input;
    if (!command.accepts(input)) throw internal(new Error("input of a command does not fit the contract"));
    const live = await this.session(envelope, policy, input, signal);
    // Its time may have passed while Redis kept its record: nothing begins then.
    signal.throwIfAborted();
    const scope = openScope([signal, live.signal]);
    // The one cast of the contract: `accepts` has checked the input, and the table belongs to the session's platform.
    const run = command.run as (session: Session, input: unknown, call: CommandCall) => Promise<unknown>;
    runOf.dispatched = true;
    try {
      return await untilAborted(run(live, input, { id: envelope.id, signal: scope.signal, letPass }), signal);
    } finally {
      scope.close();
    }
  }

  private async session(envelope: Envelope, policy: CommandPolicy, input: unknown, signal: AbortSignal): Promise<Session> {
    if (envelope.command === "create-session") {
      const { secretHash } = input as { secretHash: string };
      // Idempotent: the same id and secret are the same session.
      const endsAt = performance.now() + refusedWaitMs;
      const create = (): Promise<"created" | "taken"> => this.options.host.create(envelope.platform, envelope.session, secretHash);
      if ((await insistWhile(create, () => !signal.aborted && performance.now() < endsAt)) === "taken")
        throw internal(new Error("session id is taken"));
    }
    if (envelope.command === "undelete-session") {
      const outcome = await this.options.host.undelete(envelope.session, envelope.id);
      if (outcome === "none") throw sessionNotFound();
      if (outcome === "lives") throw sessionNotDeleted();
    }
    const live = this.options.host.get(envelope.platform, envelope.session);
    if (live === undefined) throw sessionNotFound();
    if (!policy.needsConnection || live.state().kind === "connected") return live;
    // After a takeover the first connect is under way: the command waits for it, and its session goes first.
    await this.settled(live, signal);
    if (live.signal.aborted) throw sessionNotActive();
    if (live.state().kind !== "connected") throw sessionNotConnected();
    return live;
  }

  private failure(envelope: Envelope, policy: CommandPolicy, error: unknown, run: Run, deadline: AbortSignal): Outcome {
    if (error instanceof ApiError) {
      if (error.cause !== undefined)
        this.options.log.info({ command: envelope.command, status: error.status, err: error.cause }, error.message);
      return toOutcome(error);
    }
    // What can be asked again may be told to be: nothing has gone to the platform, or only a question.
    if (redisTrouble(error) !== undefined && (policy.class === "read" || !(run.dispatched || run.begun)))
      return toOutcome(serverBusy(error));
    if (deadline.aborted || isAbort(error)) return toOutcome(deadlineError(envelope.command, policy));
    this.options.log.error({ command: envelope.command, id: envelope.id, err: error }, "command failed");
    return toOutcome(internal(error));
  }
}

function policyOf(envelope: Envelope): CommandPolicy | undefined {
  const table: Readonly<Record<string, CommandPolicy>> = policies[envelope.platform];
  return Object.hasOwn(table, envelope.command) ? table[envelope.command] : undefined;
}

/** Whose places a command takes: its session's. Once sessions are grouped, their tenant stands here, and shares among its sessions below. */
function shareOf({ session }: Envelope): string {
  return session;
}

function moved({ begun }: Run): Outcome {
  return begun ? { kind: "moved", begun } : { kind: "moved" };
}

function toOutcome(error: ApiError): Extract<Outcome, { kind: "error" }> {
  const { status, message, retryAfterSeconds } = error;
  return retryAfterSeconds === undefined ? { kind: "error", status, message } : { kind: "error", status, message, retryAfterSeconds };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}

function expiry(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
