import type { CommandCall } from "../session/command.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { internal, sessionNotConnected } from "../../shared/contract/errors.js";
import { inputContext, type CommandHead, type Envelope, type OpenEnvelope } from "../../shared/bus/envelope.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { Log } from "../../shared/log/logger.js";
import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import { AbortScope, untilAborted } from "../../shared/flow/abort-scope.js";
import { traced, type SpanPlan, type Tracing } from "../../shared/process/trace/tracing.js";
import type { Session } from "../session/session.js";
import type { RunnableCommand } from "../session/command-table.js";
import { isConnected, type SessionFinder } from "./session-finder.js";
import { effectIdOf, type KnownTask } from "./task.js";

export interface DispatcherOptions {
  ring: KeyRing;
  finder: SessionFinder;
  /** Makes a span of the platform call. */
  tracing?: Tracing | undefined;
}

interface Run {
  readonly live: Session;
  readonly input: unknown;
  readonly signal: Ending;
  readonly yieldLane: () => void;
}

/** Opens a command's input, finds its session, and runs the platform call. */
export class Dispatcher {
  constructor(private readonly options: DispatcherOptions) {}

  /** `signal` aborts the command; `yieldLane` lets the session's next command begin. */
  async dispatch(task: KnownTask, command: RunnableCommand, signal: Ending, yieldLane: () => void): Promise<unknown> {
    const { envelope, facts } = task;
    const input = this.open(envelope);
    if (!command.accepts(input)) throw internal(new Error("input of a command does not fit the contract"));
    if (command.refusal !== undefined) throw command.refusal();
    const live = await this.options.finder.find(envelope, facts, input, signal);
    for (let losses = 0; ; ) {
      // The deadline may have passed while Redis stored the record: then nothing begins.
      signal.throwIfAborted();
      const { plannedEnds } = live;
      try {
        return await this.run(task, command, { live, input, signal, yieldLane });
      } catch (error) {
        // A lost connection does not fail a read: the read is retried on the next connection.
        if (facts.class !== "read" || !facts.needsConnection) throw error;
        if (live.plannedEnds === plannedEnds && !(isConnectionLost(error) && losses++ < lossesMax)) throw error;
        if (live.plannedEnds === plannedEnds) await pause(lossPauseMs, signal);
        await this.options.finder.connectEnded(live, signal);
        if (!isConnected(live)) throw error;
      }
    }
  }

  private async run(task: KnownTask, command: RunnableCommand, { live, input, signal, yieldLane }: Run): Promise<unknown> {
    const { envelope } = task;
    const scope = new AbortScope([signal, live.ending]);
    // The one cast of the contract: `accepts` has checked the input, and the table belongs to the session's platform.
    const run = command.run as (session: Session, input: unknown, call: CommandCall) => Promise<unknown>;
    task.dispatch();
    try {
      const call = new Call(task, scope, yieldLane, live.log);
      const { tracing } = this.options;
      const running = tracing === undefined ? run(live, input, call) : traced(tracing, spanOf(envelope), () => run(live, input, call));
      return await untilAborted(task.facts.needsConnection ? live.use(running) : running, signal);
    } finally {
      scope.close();
    }
  }

  private open(envelope: Envelope | OpenEnvelope): unknown {
    if ("opened" in envelope) return envelope.opened;
    return JSON.parse(this.options.ring.open(envelope.input, inputContext(envelope.id)).toString());
  }
}

/** Most lost connections after which a read is retried. The pause gives the session time to notice each loss. */
const lossesMax = 5;
const lossPauseMs = 250;

function isConnectionLost(error: unknown): boolean {
  return error instanceof ApiError && error.message === sessionNotConnected().message;
}

class Call implements CommandCall {
  private named: Log | undefined;

  constructor(
    private readonly task: KnownTask,
    readonly ending: AbortScope,
    readonly yieldLane: () => void,
    private readonly sessionLog: Log,
  ) {}

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  get id(): string {
    return effectIdOf(this.task.envelope);
  }

  get isFirstTry(): boolean {
    return this.task.tries === "first";
  }

  get isRepeat(): boolean {
    return this.task.tries === "repeated";
  }

  get requestId(): string | undefined {
    return this.task.envelope.requestId;
  }

  /** Created on first use: few commands log, and creating a child logger costs microseconds. */
  get log(): Log {
    this.named ??= this.sessionLog.child({ requestId: this.task.envelope.requestId });
    return this.named;
  }
}

function spanOf({ platform, command }: CommandHead): SpanPlan {
  return { name: `${platform} ${command}`, kind: "client", attributes: { "gateway.platform": platform, "gateway.command": command } };
}
