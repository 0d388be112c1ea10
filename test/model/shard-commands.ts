import type { OpenEnvelope, Outcome, Reply } from "../../shared/bus/envelope.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import type { CommandId } from "../../shared/contract/ids.js";
import { planCancel, planEntry, readEntry, type EntriesInFlight, type ReceivedEntry } from "../../shard/bus/entry-plan.js";
import { afterSample, entryAgeMs, type ClockView } from "../../shard/redis/redis-clock.js";
import { factsOf, isModelCommand } from "./facts.js";
import { pause, Signal, until, type Machine, type Steps } from "./machine.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { answerTo, retryUntil } from "./retry.js";
import type { ShardRun } from "./shard-run.js";
import { entryNumber } from "./shard-stream.js";
import { newTask, type ShardTask } from "./shard-task.js";
import { clockSampleMs, replyGraceMs, streamLostMs, timing } from "./timing.js";

export interface ShardCommandsOptions {
  readonly machine: Machine;
  readonly redis: ModelRedis;
  readonly connection: Connection;
  readonly run: ShardRun;
}

/** Models `Intake`, `CommandServer` and `Replies` of `shard/bus` around the product's plans of entries. */
export class ShardCommands {
  private readonly byId = new Map<CommandId, ShardTask>();
  /** Commands of the router of this process that have no reply yet. */
  private readonly locals = new Map<string, { readonly at: number; readonly reply: (reply: Reply) => void }>();
  private localEntries = 0;
  private clock: ClockView = { offsetMs: 0, isTrusted: false };
  private isClosed = false;

  constructor(private readonly options: ShardCommandsOptions) {}

  /** A message without a record is at the platform. */
  get isSendingUnrecorded(): boolean {
    return [...this.byId.values()].some(({ isUnrecorded, dispatched }) => isUnrecorded && dispatched);
  }

  get isServing(): boolean {
    return !this.isClosed;
  }

  ageOf(entry: string): number {
    const local = this.locals.get(entry);
    if (local !== undefined) return this.options.machine.now() - local.at;
    return entryAgeMs(this.clock, entry, this.options.machine.now());
  }

  /** Models `RedisClock`. */
  *sampleClock(): Steps {
    const { machine, connection, redis } = this.options;
    for (;;) {
      try {
        const sentAt = machine.now();
        const time = yield* answerTo<number>(connection.ask({ apply: () => redis.time() }));
        this.clock = afterSample(this.clock, time - (sentAt + machine.now()) / 2);
      } catch {
        // The next sample replaces the lost one.
      }
      yield* pause(machine, clockSampleMs);
    }
  }

  read(entry: StreamEntry): void {
    const received = readEntry(entry);
    if (received === undefined) throw new Error("the model wrote an envelope that cannot be read");
    this.receive(received);
  }

  /** Models `LocalBus` of `shared/bus` and `LocalReplies`. Returns the entry's id. */
  take(envelope: OpenEnvelope, reply: (reply: Reply) => void): string {
    const id = `local-${++this.localEntries}`;
    this.locals.set(id, { at: this.options.machine.now(), reply });
    this.receive({ id, envelope });
    return id;
  }

  /** Models a cancellation of the local bus. */
  leave(cancelled: CommandId): void {
    this.receive({ id: `local-${++this.localEntries}`, cancelled });
  }

  private receive(entry: ReceivedEntry): void {
    if (this.isClosed) return;
    const plan = planEntry(entry, (id) => this.known(id));
    switch (plan.kind) {
      case "cancel":
        this.cancel(plan.id as CommandId);
        return this.forget(entry.id);
      case "ignore":
        return;
      case "follow": {
        const task = this.byId.get(plan.id);
        if (plan.instead !== undefined) this.forget(plan.instead);
        if (task !== undefined) task.following = entry;
        return;
      }
      case "take": {
        const { envelope, effect } = plan;
        if (!isModelCommand(envelope.command)) throw new Error(`${envelope.command} is not of the model`);
        const task = newTask(entry.id, envelope, factsOf(envelope.command), effect);
        this.byId.set(envelope.id, task);
        this.options.machine.start(this.work(task));
      }
    }
  }

  /** Ends the slot's commands before the slot is released. */
  *quiesce(slot: number): Steps {
    const { machine } = this.options;
    const mine = (): ShardTask[] => [...this.byId.values()].filter(({ envelope }) => envelope.slot === slot);
    const tasks = mine();
    machine.after(timing.drainReadMs, () => tasks.forEach(({ facts, left }) => facts.class === "read" && left.abort()));
    machine.after(timing.drainSendMs, () => tasks.forEach(({ left }) => left.abort()));
    for (const task of tasks) yield* until(task.done);
  }

  abandon(slots: readonly number[]): void {
    for (const { envelope, left } of this.byId.values()) if (slots.includes(envelope.slot)) left.abort();
  }

  /** Stops taking commands. Running commands end. */
  close(): void {
    this.isClosed = true;
  }

  private known(id: CommandId): EntriesInFlight | undefined {
    const task = this.byId.get(id);
    return task && { entry: task.entry, following: task.following?.id };
  }

  private *work(task: ShardTask): Steps {
    try {
      yield* this.answer(task, yield* this.options.run.execute(task));
    } catch {
      // The reply has no recipient any more.
    }
    this.byId.delete(task.envelope.id);
    task.done.abort();
    if (task.following !== undefined) this.receive(task.following);
  }

  private *answer(task: ShardTask, outcome: Outcome): Steps {
    const { machine, redis, connection } = this.options;
    const { envelope, entry, left } = task;
    const local = this.locals.get(entry);
    if (local !== undefined) {
      this.locals.delete(entry);
      local.reply({ id: envelope.id, session: envelope.session, attempt: envelope.attempt, outcome });
      return;
    }
    const waited = new Signal();
    left.onAbort(() => waited.abort());
    machine.after(Math.max(0, envelope.ttl - this.ageOf(entry) + replyGraceMs), () => waited.abort());
    try {
      yield* this.tell(task, outcome, waited);
      const done = (): void => redis.commands.done(machine.name, entryNumber(entry));
      yield* retryUntil(machine, () => connection.ask({ apply: done }), waited);
    } catch (error) {
      if (!left.aborted || task.cancelled) this.forget(entry);
      throw error;
    }
  }

  private *tell({ envelope }: ShardTask, outcome: Outcome, waited: Signal): Steps {
    const { machine, redis, connection } = this.options;
    const { id, session, attempt, replyTo } = envelope;
    const reply = (): boolean => redis.commands.reply(replyTo, { id, session, attempt, outcome });
    const endsAt = machine.now() + streamLostMs;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      if (yield* retryUntil<boolean>(machine, () => connection.ask({ apply: reply }), waited)) return;
      if (waited.aborted || machine.now() >= endsAt) return;
      yield* pause(machine, pauseMs, waited);
    }
  }

  private forget(entry: string): void {
    if (this.locals.delete(entry) || entry.startsWith("local-")) return;
    const { machine, redis, connection } = this.options;
    const done = connection.ask({ apply: () => redis.commands.done(machine.name, entryNumber(entry)) });
    done({ ok: () => undefined, fail: () => undefined });
  }

  private cancel(id: CommandId): void {
    const task = this.byId.get(id);
    if (task === undefined) return;
    const plan = planCancel(task.facts.class, task.effect);
    if (plan === "go-on") return;
    task.cancelled = true;
    task.dropped = plan === "drop";
    task.left.abort();
    if (task.following !== undefined) this.forget(task.following.id);
    task.following = undefined;
  }
}
