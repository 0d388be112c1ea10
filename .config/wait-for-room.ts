import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { waitsForRoom } from "./workers.js";

/** Of the processors' time; less is what the files that run take now and then. */
const idleLeast = 0.3;
const windowMs = 1_000;
/** What is begun then is begun late, but the run ends. */
const waitMostMs = 60_000;

/** One worker after the other: each looks a second longer than the one before it, and sees what that one's file takes. */
const turn = waitsForRoom(process.env);
if (turn > 0) await room(turn * windowMs);

/** Resolves when the processors have been idle enough for this long, in milliseconds, or after a minute. */
async function room(lookMs: number): Promise<void> {
  const endsAt = performance.now() + waitMostMs;
  for (let before = processorTimes(); performance.now() < endsAt; ) {
    await sleep(lookMs);
    const now = processorTimes();
    if ((now.idle - before.idle) / (now.all - before.all) >= idleLeast) return;
    before = now;
  }
}

/** Milliseconds since the machine's start, of all processors together. */
function processorTimes(): { readonly idle: number; readonly all: number } {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, all };
}
