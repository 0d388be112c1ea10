import type { CommandHead, Outcome } from "../../shared/bus/envelope.js";
import type { LocalBus, LocalReader } from "../../shared/bus/local-bus.js";
import type { RedisClock } from "../redis/redis-clock.js";
import { StreamReader } from "../../shared/bus/stream-reader.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import type { SpanPlan, Tracing } from "../../shared/process/trace/tracing.js";
import type { HeldSlots } from "../cluster/held-slots.js";
import type { Host } from "../cluster/host.js";
import type { Refusal } from "../session/refusal.js";
import { CommandLog } from "./command-log.js";
import type { CommandMetrics } from "./command-metrics.js";
import type { CommandTables } from "../session/command-table.js";
import { Dispatcher } from "./dispatcher.js";
import { readEntry } from "./entry-plan.js";
import { Executor } from "./executor.js";
import { Intake } from "./intake.js";
import { LocalReplies } from "./local-replies.js";
import type { PaceLine } from "./pace-line.js";
import { Places } from "./places.js";
import { RecordedRun } from "./recorded-run.js";
import { Replies } from "./replies.js";
import { ReplyWriter } from "./reply-writer.js";
import { SessionFinder } from "./session-finder.js";
import { endStage, type Task } from "./task.js";

export interface CommandServerOptions {
  member: string;
  writer: RedisClient;
  reader: RedisClient;
  cache: RedisClient;
  clock: RedisClock;
  /** Commands of a router in this process, which do not go through Redis. */
  local?: LocalBus | undefined;
  paceLine: PaceLine;
  host: Pick<Host, "get" | "create" | "undelete" | "prioritize" | "loaded" | "tenantOf" | "isShared">;
  slots: Pick<HeldSlots, "settled" | "token">;
  platforms: CommandTables;
  refusals: { note(refusal: Refusal): void };
  ring: KeyRing;
  /** Whether Redis refuses writes, as far as this process knows. Only commands of `local` depend on it. */
  refusesWrites?: () => boolean;
  /**
   * Number of commands that wait for a caller's file or for their session's pace. Other bounds limit them (`Downloader`, `PaceLine`), so
   * they take no place here.
   */
  parked?: () => number;
  metrics: CommandMetrics;
  /** Makes a span of each command, and one of its platform call. */
  tracing?: Tracing | undefined;
  log: Log;
  timing?: ClusterTiming;
}

/** Most commands running or queued here, without those that wait for a file or for their session's pace. */
const inFlightMax = 1_000;

/** Runs what arrives in this member's command stream and on the local bus: intake -> executor -> replies. */
export class CommandServer {
  private readonly stream: string;
  private readonly commands: StreamReader;
  private readonly executor: Executor;
  private readonly places: Places;
  private readonly intakes: Intake[] = [];
  private readonly ownReader: LocalReader | undefined;

  constructor(private readonly options: CommandServerOptions) {
    const { member, writer, reader, cache, clock, local, host, slots, platforms, ring, parked, metrics, log, timing } = options;
    this.stream = keys.commands(member);
    const finder = new SessionFinder(host, timing);
    this.executor = new Executor({
      platforms,
      loaded: async (slot) => {
        await slots.settled(slot);
        await host.loaded(slot);
      },
      tenantOf: (session) => host.tenantOf(session),
      isShared: () => host.isShared,
      token: (slot) => slots.token(slot),
      paceOf: ({ platform, session }) => host.get(platform, session)?.context.pace,
      paceLine: options.paceLine,
      dispatcher: new Dispatcher({ ring, finder, tracing: options.tracing }),
      refusals: options.refusals,
      refusesWrites: options.refusesWrites ?? (() => false),
      recorded: new RecordedRun({ commandLog: new CommandLog(writer, ring), finder, metrics, log }),
      metrics,
      log,
    });
    this.places = new Places({
      most: () => inFlightMax + (parked?.() ?? 0),
      tenantOf: (session) => host.tenantOf(session),
      isShared: () => host.isShared,
      timing,
    });
    const replies = new Replies({
      writer: new ReplyWriter(writer, cache, this.stream, ring),
      onUndelivered: () => metrics.undelivered(),
      log,
    });
    const intake = this.intake((entry) => clock.ageOf(entry), replies);
    this.commands = new StreamReader({
      redis: reader,
      stream: this.stream,
      // Entries that an earlier incarnation read and did not finish are taken up again.
      whole: { onMissing: () => this.makeStream() },
      onEntry: (entry) => {
        const received = readEntry(entry);
        if (received === undefined) replies.bury(entry);
        else intake.receive(received);
      },
      wants: () => this.places.isFree,
      log,
    });
    if (local === undefined) return;
    const ownIntake = this.intake((entry) => local.ageOf(entry), new LocalReplies(local));
    this.ownReader = { onEntry: (entry) => ownIntake.receive(entry), wants: () => this.places.isFree };
  }

  get running(): number {
    return this.places.inFlight.size;
  }

  /** Number of commands that wait to begin. */
  get waiting(): number {
    return this.executor.waiting;
  }

  /** Creates the stream (routers never do), takes up the entries that an earlier process left in it, then reads on. */
  async start(): Promise<void> {
    await this.makeStream();
    this.commands.start();
    if (this.ownReader !== undefined) this.options.local?.read(this.ownReader);
  }

  /**
   * Reads no further commands and aborts those that are left: the slots' drain has waited for the others. Unread entries stay in the
   * stream.
   */
  async stop(): Promise<void> {
    for (const intake of this.intakes) intake.close();
    this.options.local?.stop();
    await this.commands.stop();
    await this.places.inFlight.end();
  }

  /** Waits, for a bounded time, for the commands of a slot that is about to be released. */
  quiesce(slot: number): Promise<void> {
    return this.places.inFlight.quiesce(slot);
  }

  /** Aborts the commands of slots that are already lost. */
  abandon(slots: readonly number[]): void {
    this.places.inFlight.abandon(slots);
  }

  private intake(ageOf: (entry: string) => number, replies: Replies | LocalReplies): Intake {
    const work = (task: Task, admitted: boolean): Promise<void> => this.work(task, admitted, replies);
    const intake = new Intake({ places: this.places, ageOf, replies, work });
    this.intakes.push(intake);
    return intake;
  }

  /** Creates an empty stream if none exists. The consumer group itself is never read. */
  private async makeStream(): Promise<void> {
    try {
      await this.options.writer.xgroup("CREATE", this.stream, keys.commandGroup, "0", "MKSTREAM");
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("BUSYGROUP")) throw error;
    }
  }

  private async outcomeOf(task: Task, admitted: boolean): Promise<Outcome> {
    if (!admitted) return this.executor.turnAway();
    const { tracing } = this.options;
    if (tracing === undefined) return await this.executor.execute(task);
    const span = tracing.start(spanOf(task.envelope));
    const outcome = await span.run(() => this.executor.execute(task));
    const failed = outcome.kind === "error" && outcome.status >= 500;
    span.set({ "gateway.outcome": outcome.kind, ...(outcome.kind === "error" ? { "gateway.status": outcome.status } : {}) });
    span.end(failed);
    return outcome;
  }

  /** Never rejects. */
  private async work(task: Task, admitted: boolean, replies: Replies | LocalReplies): Promise<void> {
    const startedAt = performance.now();
    const { command, id, requestId } = task.envelope;
    try {
      const outcome = await this.outcomeOf(task, admitted);
      await replies.reply(task, outcome, () => {
        if (task.place === "platform") endStage(task, "reply", this.options.metrics);
        const seconds = (performance.now() - startedAt) / 1_000;
        this.options.metrics.observe(command, task.facts?.class ?? "read", outcome.kind, seconds);
        this.options.log.debug({ command, id, requestId, outcome: outcome.kind, seconds }, "command answered");
      });
    } catch (error) {
      // The router waits no longer, or the slot has left and its entry is read again.
      this.options.log.warn({ command, id, requestId, err: error }, "reply not sent");
    } finally {
      // The command counts as running until it is recorded: an earlier retry would not find what it has done.
      await task.recorded;
    }
  }
}

/** Returns the span of a command from its entry to its outcome: the wait for its lane, its record and the platform call. */
function spanOf({ platform, command, attempt, traceparent }: CommandHead): SpanPlan {
  const attributes = { "gateway.platform": platform, "gateway.command": command, "gateway.attempt": attempt };
  return { name: `run ${command}`, kind: "consumer", attributes, under: { traceparent } };
}
