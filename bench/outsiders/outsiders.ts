import typia from "typia";
import { Child } from "../child.js";

/** Request heads that announce a body and never send it, each on a connection of its own. */
export interface OutsidersPlan {
  readonly port: number;
  /** The loopback address from which they connect. */
  readonly from: string;
  /** The complete head with its empty line. */
  readonly head: string;
  readonly headsPerSecond: number;
  readonly seconds: number;
}

export interface OutsidersSeen {
  /** Heads sent per second. */
  readonly headsPerSecond: number;
  /** Connections by outcome: the status of the first response, the connection's error, or a phrase for neither. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The highest number of open connections. */
  readonly openMost: number;
}

export type OutsidersMessage = { readonly kind: "send"; readonly plan: OutsidersPlan } | { readonly kind: "leave" };

/** Controls the process of the outsiders. */
export class Outsiders {
  private readonly child: Child<OutsidersMessage>;

  constructor(signal: AbortSignal) {
    this.child = Child.start<OutsidersMessage>("outsiders", "./outsiders/outsiders-process.js", signal);
  }

  /** Resolves when all heads are sent. Their connections stay open. */
  async send(plan: OutsidersPlan): Promise<void> {
    await this.child.request({ kind: "send", plan }, plan.seconds * 1000 + lateMs);
  }

  /** Waits for late responses, then closes all open connections. */
  async leave(): Promise<OutsidersSeen> {
    return isSeen(await this.child.request({ kind: "leave" }, lateMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const lateMs = 60_000;
const isSeen = typia.createAssert<OutsidersSeen>();
