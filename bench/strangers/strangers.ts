import typia from "typia";
import { Child } from "../child.js";

/** Heads that promise a body which never comes, each on a connection of its own. */
export interface StrangersPlan {
  readonly port: number;
  /** Address of loopback that they come from. */
  readonly from: string;
  /** Whole, with its empty line. */
  readonly head: string;
  readonly headsPerSecond: number;
  readonly seconds: number;
}

export interface StrangersSeen {
  /** So many heads went out a second. */
  readonly headsPerSecond: number;
  /** Connections by what became of them: the first answer's status, the connection's error, or words for neither. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Connections that were open at once. */
  readonly openMost: number;
}

export type StrangersMessage = { readonly kind: "send"; readonly plan: StrangersPlan } | { readonly kind: "leave" };

/** The strangers' process, from outside. */
export class Strangers {
  private readonly child: Child;

  constructor(signal: AbortSignal) {
    this.child = Child.start("strangers", "./strangers/strangers-process.js", signal);
  }

  /** Resolves when all heads are sent; their connections stay open. */
  async send(plan: StrangersPlan): Promise<void> {
    await this.child.ask({ kind: "send", plan } satisfies StrangersMessage, plan.seconds * 1000 + lateMs);
  }

  /** Gives late answers their time, then closes what is still open. */
  async leave(): Promise<StrangersSeen> {
    return isSeen(await this.child.ask({ kind: "leave" } satisfies StrangersMessage, lateMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const lateMs = 60_000;
const isSeen = typia.createAssert<StrangersSeen>();
