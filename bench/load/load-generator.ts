import { constants, setPriority } from "node:os";
import typia from "typia";
import { Child } from "../child.js";
import type { LoadPlan, LoadResult } from "./plan.js";

/** The load process, from outside. It shares no event loop with what is measured. */
export class LoadGenerator {
  private readonly child: Child;

  constructor(signal: AbortSignal) {
    this.child = Child.start("load", "./load/load-process.js", signal);
  }

  /** Has no more of the processor than everything else leaves: for load whose own pace is of no interest. */
  giveWay(): void {
    setPriority(this.child.pid, leastPriority);
  }

  async run(plan: LoadPlan): Promise<LoadResult> {
    return isResult(await this.child.ask(plan, (plan.seconds + answersSeconds) * 1000));
  }

  async stop(): Promise<void> {
    await this.child.stop();
  }
}

/** A request takes 30 s at most, and what a flood has left behind is answered after its end. */
const answersSeconds = 60;
const leastPriority = constants.priority.PRIORITY_LOW;
const isResult = typia.createAssert<LoadResult>();
