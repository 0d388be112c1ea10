import typia from "typia";
import { Child } from "../child.js";

/** Request heads that announce a body and never send it, each on a connection of its own. */
export interface StrangersPlan {
  readonly port: number;
  /** The loopback address from which they connect. */
  readonly from: string;
  /** The complete head with its empty line. */
  readonly head: string;
  readonly headsPerSecond: number;
  readonly seconds: number;
}

export interface StrangersSeen {
  /** Heads sent per second. */
  readonly headsPerSecond: number;
  /** Connections by outcome: the status of the first response, the connection's error, or a phrase for neither. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The highest number of open connections. */
  readonly openMost: number;
}

export type StrangersMessage = { readonly kind: "send"; readonly plan: StrangersPlan } | { readonly kind: "leave" };

/** Controls the process of the strangers. */
export class Strangers {
  private readonly child: Child;

  constructor(signal: AbortSignal) {
    this.child = Child.start("strangers", "./strangers/strangers-process.js", signal);
  }

  /** Resolves when all heads are sent. Their connections stay open. */
  async send(plan: StrangersPlan): Promise<void> {
    await this.child.ask({ kind: "send", plan } satisfies StrangersMessage, plan.seconds * 1000 + lateMs);
  }

  /** Waits for late responses, then closes all open connections. */
  async leave(): Promise<StrangersSeen> {
    return isSeen(await this.child.ask({ kind: "leave" } satisfies StrangersMessage, lateMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const lateMs = 60_000;
const isSeen = typia.createAssert<StrangersSeen>();
