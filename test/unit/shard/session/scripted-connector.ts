import { untilAborted } from "../../../../shared/flow/abort-scope.js";
import type { ReportedEnd } from "../../../../shard/session/connection-end.js";
import type { Connector } from "../../../../shard/session/connector.js";
import { Session, type SessionOptions } from "../../../../shard/session/session.js";
import type { ConnectorContext } from "../../../../shard/session/session-context.js";
import { openLimiter, TestContext } from "../../../platform/session-context.js";

export const account = { generatedId: "7", name: "Ann", username: "", phone: "", picture: "" };
const lost = { kind: "lost", established: true, waitMs: 0, cause: new Error("closed") } as const;

/** One step of a script: the outcome of the next connection or load. */
export type Step = ReportedEnd | Error;

/** A connector whose connections end as the script says. After that they log in and stay open. It records its calls. */
export class ScriptedConnector implements Connector {
  readonly steps: string[] = [];
  /** Runs while the device is removed. */
  onLogOut: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  /** Ends the open connection, as the platform would. */
  end: (end: ReportedEnd) => void = () => undefined;

  constructor(
    private readonly context: ConnectorContext,
    private readonly script: Step[],
    /** If false, the open connections do not log in. */
    private readonly logsIn: boolean,
  ) {}

  async load(): Promise<void> {
    this.steps.push("load");
    this.throwNext();
  }
  async connect(signal: AbortSignal): Promise<ReportedEnd> {
    this.steps.push("connect");
    await this.context.proxy();
    this.throwNext();
    const end = this.script.shift();
    if (end !== undefined && !(end instanceof Error)) return end;
    const ended = new Promise<ReportedEnd>((resolve) => (this.end = resolve));
    if (this.logsIn) await this.context.dispatch({ type: "logged-in", account });
    return untilAborted(ended, signal).catch(() => lost);
  }
  async forget(): Promise<void> {
    this.steps.push("forget");
  }
  async logOut(signal: AbortSignal): Promise<void> {
    this.steps.push("log out");
    await this.onLogOut(signal);
  }
  async finish(): Promise<void> {
    this.steps.push("finish");
  }

  /** Number of connects. */
  get connects(): number {
    return this.steps.filter((step) => step === "connect").length;
  }

  private throwNext(): void {
    const [next] = this.script;
    if (!(next instanceof Error)) return;
    this.script.shift();
    throw next;
  }
}

export interface Scripted {
  readonly session: Session<ScriptedConnector>;
  readonly connector: ScriptedConnector;
  readonly context: TestContext;
  /** Ends of its connections, as the metrics count them. */
  readonly ends: string[];
  readonly ran: Promise<void>;
}

/** Starts a session over a scripted connector. */
export function running(
  script: Step[],
  {
    logsIn = true,
    context = new TestContext(),
    ...options
  }: Partial<Omit<SessionOptions<ScriptedConnector>, "context">> & { logsIn?: boolean; context?: TestContext } = {},
): Scripted {
  const ends: string[] = [];
  const session = new Session({
    context,
    open: (connectorContext) => new ScriptedConnector(connectorContext, script, logsIn),
    limiter: openLimiter,
    dropMs: 0,
    onConnectionEnd: (kind) => void ends.push(kind),
    timing: { backoffMinMs: 1, backoffMaxMs: 2, closeMs: 1_000 },
    ...options,
  });
  return { session, connector: session.connector, context, ends, ran: session.run() };
}
