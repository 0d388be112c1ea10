import { setImmediate as nextTurn } from "node:timers/promises";
import typia from "typia";
import { serveParent } from "../child.js";
import type { BusyWork } from "./busy-processes.js";

serveParent(async (message) => {
  const { seconds } = isWork(message);
  const endsAt = performance.now() + seconds * 1000;
  while (performance.now() < endsAt) {
    for (const turnEndsAt = performance.now() + turnMs; performance.now() < turnEndsAt; );
    // The pause lets the process notice the loss of its parent.
    await nextTurn();
  }
  return {};
});

const turnMs = 50;
const isWork = typia.createAssert<BusyWork>();
