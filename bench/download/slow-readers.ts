import typia from "typia";
import { Child } from "../child.js";

/** Connections that each read one answer at a fixed pace, and nothing faster. */
export interface SlowReadersPlan {
  /** One reader each. */
  readonly urls: readonly string[];
  readonly bytesPerSecond: number;
}

export interface SlowReadersState {
  readonly open: number;
  /** Answers that were not a 200, and connections that ended. */
  readonly lost: number;
  /** Of all readers since the last look, by second and reader. */
  readonly bytesPerSecond: number;
}

export type SlowReadersMessage = { readonly kind: "start"; readonly plan: SlowReadersPlan } | { readonly kind: "look" };

/** The readers' process, from outside. */
export class SlowReaders {
  private readonly child: Child;

  constructor(signal: AbortSignal) {
    this.child = Child.start("slow readers", "./download/slow-readers-process.js", signal);
  }

  /** Resolves when each reads at its pace. */
  async start(plan: SlowReadersPlan): Promise<void> {
    await this.child.ask({ kind: "start", plan } satisfies SlowReadersMessage, startMs);
  }

  async look(): Promise<SlowReadersState> {
    return isState(await this.child.ask({ kind: "look" } satisfies SlowReadersMessage, 30_000));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const startMs = 400_000;
const isState = typia.createAssert<SlowReadersState>();
