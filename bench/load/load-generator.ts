import { constants, setPriority } from "node:os";
import typia from "typia";
import { Child } from "../child.js";
import type { LoadPlan, LoadResult } from "./plan.js";

/** Controls the load process, which shares no event loop with the measured processes. */
export class LoadGenerator {
  private readonly child: Child<LoadPlan>;

  constructor(signal: AbortSignal) {
    this.child = Child.start<LoadPlan>("load", "./load/load-process.js", signal);
  }

  /** Lowers the priority of the load below everything else, for load whose own pace does not matter. */
  yieldCpu(): void {
    setPriority(this.child.pid, leastPriority);
  }

  async run(plan: LoadPlan): Promise<LoadResult> {
    return isResult(await this.child.request(plan, (plan.seconds + replySeconds) * 1000));
  }

  async stop(): Promise<void> {
    await this.child.stop();
  }
}

/** A request takes 30 s at most, and requests left by a flood get their responses after its end. */
const replySeconds = 60;
const leastPriority = constants.priority.PRIORITY_LOW;
const isResult = typia.createAssert<LoadResult>();
