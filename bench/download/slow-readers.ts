import typia from "typia";
import { Child } from "../child.js";

/** Connections that each read one response at a fixed pace. */
export interface SlowReadersPlan {
  /** One reader for each URL. */
  readonly urls: readonly string[];
  readonly bytesPerSecond: number;
}

export interface SlowReadersState {
  readonly open: number;
  /** Responses without status 200, and connections that ended. */
  readonly lost: number;
  /** Bytes per second and reader since the last reading. */
  readonly bytesPerSecond: number;
}

export type SlowReadersMessage = { readonly kind: "start"; readonly plan: SlowReadersPlan } | { readonly kind: "state" };

/** Controls the process of the slow readers. */
export class SlowReaders {
  private readonly child: Child<SlowReadersMessage>;

  constructor(signal: AbortSignal) {
    this.child = Child.start<SlowReadersMessage>("slow readers", "./download/slow-readers-process.js", signal);
  }

  /** Resolves when each reader reads at its pace. */
  async start(plan: SlowReadersPlan): Promise<void> {
    await this.child.request({ kind: "start", plan }, startMs);
  }

  async state(): Promise<SlowReadersState> {
    return isState(await this.child.request({ kind: "state" }, 30_000));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const startMs = 400_000;
const isState = typia.createAssert<SlowReadersState>();
