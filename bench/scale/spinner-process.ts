import { setImmediate as nextTurn } from "node:timers/promises";
import typia from "typia";
import { serveParent } from "../child.js";
import type { SpinnerWork } from "./slow-core.js";

serveParent((message) => {
  const { busyMs, periodMs } = isWork(message);
  void spin(busyMs, periodMs);
  return Promise.resolve({});
});

async function spin(busyMs: number, periodMs: number): Promise<never> {
  const neverWoken = new Int32Array(new SharedArrayBuffer(4));
  let periodBeganAt = performance.now();
  for (;;) {
    // The pause between such runs lets the process notice the loss of its parent.
    for (let period = 0; period < periodsByTurn; period++) {
      while (performance.now() < periodBeganAt + busyMs);
      const restMs = periodBeganAt + periodMs - performance.now();
      if (restMs > 0) Atomics.wait(neverWoken, 0, 0, restMs);
      // Lateness is not made up for, because two busy parts would follow each other.
      periodBeganAt = Math.max(periodBeganAt + periodMs, performance.now());
    }
    await nextTurn();
  }
}

const periodsByTurn = 100;
const isWork = typia.createAssert<SpinnerWork>();
