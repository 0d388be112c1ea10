import { ApiError } from "../../shared/contract/api-error.js";
import { deadlineError } from "../../shared/contract/deadline-error.js";
import { internal, serverBusy, sessionNotActive } from "../../shared/contract/errors.js";
import type { CommandName, CommandPolicy, Input, Output } from "../../shared/contract/commands.js";
import { newCommandId, type SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import { policies } from "../../shared/contract/policies.js";
import type { Envelope, Outcome } from "../../shared/bus/envelope.js";
import { parseReply, sealedContext } from "../../shared/bus/envelope.js";
import { StreamReader } from "../../shared/bus/stream-reader.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/cluster/slot.js";
import type { KeyRing } from "../../shared/crypto/key-ring.js";
import { bodyMaxBytes, commandStreamMax } from "../../shared/limits.js";
import type { Log } from "../../shared/log/logger.js";
import { openScope } from "../../shared/flow/abort-scope.js";
import { FairShares } from "../../shared/flow/fair-shares.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { isRefusedWrite } from "../../shared/redis/redis-trouble.js";
import { loadScript, runScript } from "../../shared/redis/script.js";
import type { OwnerDirectory } from "./owner-directory.js";
import { Pending, PendingCommand } from "./pending.js";

export interface CommandClientOptions {
  /** Name of the reply stream: unique per router process start. */
  router: string;
  writer: RedisClient;
  reader: RedisClient;
  cache: RedisClient;
  owners: OwnerDirectory;
  ring: KeyRing;
  metrics: CommandClientMetrics;
  log: Log;
}

export interface CommandClientMetrics {
  observe(command: string, outcome: string, seconds: number): void;
  repeated(reason: "moved" | "owner-changed"): void;
}

/** Reliability sheet 2.11, "router: 5,000 in flight". */
const inFlightMax = 5_000;
/** Bounded wait for an owner: a planned move takes under 5 s, a reaped process under 0.1 s (reliability sheet 2.3). */
const ownerWaitMs = 5_000;
/** A command that has outlived so many owners stops here. Shards stop one that they have died over (poison) sooner; this one may only have waited there. */
const ownersMax = 12;
/** A session with at most so many commands here waits for room in a stream that others have filled; one with more reads that it is full. */
const patientCommands = 8;
/** As `Retry-After` says. */
const refusedMs = 1_000;
const replyGraceMs = 2_000;
const replyStreamSeconds = 120;
const renewMs = 10_000;
const watchMs = 1_000;

const busy: Outcome = { kind: "error", status: 503, message: "server busy", retryAfterSeconds: 1 };
/** `NOREDIS`: certainly not enqueued. `UNSURE`: perhaps. */
type Enqueued = "SENT" | "BUSY" | "NOMEMBER" | "NOREDIS" | "UNSURE";

const enqueueScript = loadScript("enqueue");

/**
 * Sends commands to the shards that own their sessions and waits for the replies (reliability sheet 2.5).
 * A command goes out again, under the same id, when its slot moves or its owner dies; `begin` on the shard makes that harmless.
 */
export class CommandClient {
  private readonly pending = new Pending();
  private readonly bySession = new FairShares(() => inFlightMax);
  /** Sessions that their shard has just refused for their own load. As many as are refused within a second. */
  private readonly full = new Set<SessionId>();
  private readonly replies: StreamReader;
  private readonly stopped = new AbortController();
  private keepAlive: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private resending = false;
  /** An outage of over 120 s outlives the stream, and a router without one is deaf: shards do not make it. */
  private readonly renewReplyStream = (): void => {
    const renew = async (): Promise<void> => {
      if ((await this.options.writer.expire(keys.replies(this.options.router), replyStreamSeconds)) === 0) await this.makeReplyStream();
    };
    renew().catch(() => {
      // The next renewal is 10 s away and the stream lives for 120 s.
    });
  };
  private readonly onOwnersChanged = (): void => void this.resendMoved();

  constructor(private readonly options: CommandClientOptions) {
    this.replies = new StreamReader({
      redis: options.reader,
      stream: keys.replies(options.router),
      log: options.log,
      onEntry: (entry) => {
        const reply = parseReply(entry.fields.get("r") ?? "");
        if (reply === undefined || !this.pending.resolve(reply)) options.log.debug({ entry: entry.id }, "reply without a waiting command");
      },
    });
  }

  get inFlight(): number {
    return this.pending.size;
  }

  async start(): Promise<void> {
    // The stream exists before the first command names it: shards never create one (NOMKSTREAM), so a dead router's replies go nowhere.
    this.replies.start((await this.makeReplyStream()) ?? "$");
    this.keepAlive = setInterval(this.renewReplyStream, renewMs);
    this.options.writer.on("ready", this.renewReplyStream);
    this.watch = setInterval(() => void this.resendMoved(), watchMs);
    this.options.owners.onChange(this.onOwnersChanged);
  }

  /** Waiting commands end with 503; the reader ends. */
  async stop(): Promise<void> {
    this.stopped.abort();
    clearInterval(this.keepAlive);
    this.options.writer.off("ready", this.renewReplyStream);
    clearInterval(this.watch);
    this.options.owners.offChange(this.onOwnersChanged);
    for (const command of this.pending.all()) command.settle(busy);
    await this.replies.stop();
    await this.options.writer.del(keys.replies(this.options.router)).catch(() => undefined);
  }

  /**
   * Resolves with the command's output; rejects with the `ApiError` that the shard answered, or with 500 `session not found` when no owner appears
   * within 5 s, 503 `server busy` when full, and the class's timeout error past the deadline. Aborting stops the waiting, not the command.
   */
  async call<P extends Platform, C extends CommandName<P>>(
    platform: P,
    command: C,
    session: SessionId,
    input: Input<P, C>,
    signal?: AbortSignal,
  ): Promise<Output<P, C>> {
    if (this.pending.size >= inFlightMax || this.stopped.signal.aborted) throw serverBusy();
    // It was told when to come again: until then its refusals cost no shard anything.
    if (this.full.has(session) && this.bySession.held(session) > patientCommands) throw serverBusy();
    const policy: CommandPolicy = policies[platform][command];
    const envelope = this.envelope(platform, command, session, input, policy);
    const startedAt = performance.now();
    const outcome = await this.exchange(envelope, policy, signal ?? this.stopped.signal);
    this.options.metrics.observe(command, outcome.kind, (performance.now() - startedAt) / 1_000);
    return (await this.unwrap(envelope, outcome, policy)) as Output<P, C>;
  }

  private envelope(platform: Platform, command: string, session: SessionId, input: unknown, policy: CommandPolicy): Envelope {
    const id = newCommandId();
    const sealed = policy.sealed === true;
    return {
      v: 1,
      id,
      platform,
      command,
      session,
      slot: slotOf(session),
      replyTo: this.options.router,
      ttl: policy.deadlineMs,
      attempt: 0,
      sealed,
      input: sealed ? this.options.ring.seal(Buffer.from(JSON.stringify(input)), sealedContext(id)) : input,
    };
  }

  private async exchange(envelope: Envelope, policy: CommandPolicy, signal: AbortSignal): Promise<Outcome> {
    const scope = openScope([signal], policy.deadlineMs + replyGraceMs);
    const command = new PendingCommand(envelope, policy.class);
    const onEnd = (): void => command.settle({ kind: "expired" });
    if (scope.signal.aborted) onEnd();
    else scope.signal.addEventListener("abort", onEnd, { once: true });
    this.pending.add(command);
    const leave = this.bySession.take(envelope.session);
    try {
      return await this.exchangeUntil(command, policy, signal, scope.signal);
    } finally {
      this.pending.remove(envelope.id);
      leave();
      scope.close();
    }
  }

  /** Sends until the shard has answered with something final, or the deadline has passed. */
  private async exchangeUntil(command: PendingCommand, policy: CommandPolicy, signal: AbortSignal, ended: AbortSignal): Promise<Outcome> {
    const { envelope } = command;
    const startedAt = performance.now();
    let movedAt: number | undefined;
    for (;;) {
      const answer = command.answer();
      const sentAt = performance.now();
      const sent = await this.send(command, ended);
      if (sent !== "sent") return command.over ?? sent;
      const outcome = await answer;
      if (outcome.kind !== "moved") {
        if (outcome.kind === "error" && outcome.refused === true) this.refuse(envelope.session);
        if (signal.aborted) this.cancel(command);
        return outcome;
      }
      // The old owner answers so until it has let go; the command is held here meanwhile (reliability sheet 2.4).
      const now = performance.now();
      // An owner that had kept it for so long is another one than that which refused it before.
      movedAt = movedAt === undefined || now - sentAt > ownerWaitMs ? now : movedAt;
      if (now - movedAt > ownerWaitMs && command.refusable) return busy;
      this.options.owners.forget(envelope.slot);
      this.options.metrics.repeated("moved");
      command.sentTo = undefined;
      await this.options.owners.change(50, ended);
      envelope.attempt += 1;
      envelope.ttl = Math.max(1, Math.round(policy.deadlineMs - (performance.now() - startedAt)));
    }
  }

  /** "sent" also when the reply came meanwhile, or when Redis may have it: then only the reply or the deadline can tell. */
  private async send(command: PendingCommand, ended: AbortSignal): Promise<"sent" | Outcome> {
    const endsAt = performance.now() + ownerWaitMs;
    let answer: Enqueued = "NOMEMBER";
    while (!ended.aborted && command.over === undefined) {
      answer = await this.trySend(command, answer === "UNSURE");
      if (answer === "SENT") return "sent";
      if (
        answer === "BUSY" &&
        command.refusable &&
        (performance.now() >= endsAt || this.bySession.held(command.envelope.session) > patientCommands)
      )
        return busy;
      this.options.owners.forget(command.envelope.slot);
      // A refusal of what may have been enqueued would lie: it is tried again, which Redis answers by what it has.
      if (answer !== "UNSURE" && performance.now() >= endsAt && command.refusable)
        return answer === "NOREDIS" || answer === "BUSY" ? busy : { kind: "error", status: 500, message: sessionNotActive().message };
      await this.options.owners.change(answer === "NOMEMBER" ? 50 : 250, ended);
    }
    return "sent";
  }

  private async trySend(command: PendingCommand, unsure: boolean): Promise<Enqueued> {
    let asked = unsure;
    try {
      const owner = await this.options.owners.owner(command.envelope.slot);
      if (owner === undefined) return unsure ? "UNSURE" : "NOMEMBER";
      // A connection that is known to be down refuses at once; on one that seems up the command is on its way, whatever becomes of the answer.
      asked ||= this.options.writer.status === "ready";
      return await this.enqueue(command, owner);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "command could not be sent yet");
      // A refusal is an answer: it was not enqueued, now as little as before.
      if (isRefusedWrite(error) && !unsure) return "NOREDIS";
      return asked ? "UNSURE" : "NOREDIS";
    }
  }

  private async enqueue(command: PendingCommand, owner: SlotOwner): Promise<"SENT" | "BUSY" | "NOMEMBER"> {
    const { envelope } = command;
    const text = JSON.stringify(envelope);
    if (Buffer.byteLength(text) > bodyMaxBytes * 2) throw new ApiError(413, "request entity too large");
    const answer = await runScript(
      this.options.writer,
      enqueueScript,
      [keys.commands(owner.member), keys.enqueued(owner.member, envelope.id, envelope.attempt)],
      [text, commandStreamMax, 600_000],
    );
    if (answer === "BUSY" || answer === "NOMEMBER") return answer;
    command.sentTo = { member: owner.member, incarnation: owner.incarnation, token: owner.token };
    return "SENT";
  }

  /** Commands whose slot has changed hands since they were sent: their entry may sit in a stream that nobody reads any more. */
  private async resendMoved(): Promise<void> {
    if (this.resending) return;
    this.resending = true;
    try {
      await this.resendAll();
    } finally {
      this.resending = false;
    }
  }

  private async resendAll(): Promise<void> {
    for (const command of [...this.pending.all()]) {
      const { sentTo, envelope } = command;
      if (sentTo === undefined) continue;
      try {
        const owner = await this.options.owners.owner(envelope.slot);
        // Answered or refused meanwhile: then it is sent again where the answer is read, or not at all.
        if (owner === undefined || owner.token === sentTo.token || command.sentTo !== sentTo || command.over !== undefined) continue;
        if (command.owners >= ownersMax) {
          this.options.log.error({ command: envelope.command, id: envelope.id }, "command outlived its owners too often");
          command.settle({ kind: "error", status: 500, message: internal().message });
          continue;
        }
        envelope.attempt += 1;
        // A full stream refuses it: the next look tries again.
        if ((await this.enqueue(command, owner)) !== "SENT") continue;
        command.owners += 1;
        command.begun = true;
        this.options.metrics.repeated("owner-changed");
      } catch (error) {
        this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "command could not be sent again yet");
        return;
      }
    }
  }

  private refuse(session: SessionId): void {
    if (this.full.has(session)) return;
    this.full.add(session);
    setTimeout(() => this.full.delete(session), refusedMs).unref();
  }

  /** The caller has gone: the shard stops working for it. Best effort: without it the command runs to its deadline. */
  private cancel(command: PendingCommand): void {
    if (command.sentTo === undefined) return;
    this.options.writer.xadd(keys.commands(command.sentTo.member), "NOMKSTREAM", "*", "x", command.envelope.id).catch(() => undefined);
  }

  private async makeReplyStream(): Promise<string | null> {
    const stream = keys.replies(this.options.router);
    const first = await this.options.writer.xadd(stream, "*", "r", "");
    await this.options.writer.expire(stream, replyStreamSeconds);
    return first;
  }

  private async unwrap(envelope: Envelope, outcome: Outcome, policy: CommandPolicy): Promise<unknown> {
    switch (outcome.kind) {
      case "ok":
        return outcome.output;
      case "ok-stored": {
        const text = await this.options.cache.getdel(keys.bigReply(envelope.id));
        if (text === null) throw internal(new Error("stored reply is gone"));
        return JSON.parse(text);
      }
      case "error":
        throw new ApiError(
          outcome.status,
          outcome.message,
          outcome.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: outcome.retryAfterSeconds },
        );
      case "moved":
      case "expired":
        throw deadlineError(envelope.command, policy);
      default:
        return outcome satisfies never;
    }
  }
}
