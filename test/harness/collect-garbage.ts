import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects all unreferenced objects, and waits until finalizers have run. */
export async function collectGarbage(): Promise<void> {
  for (let i = 0; i < 2; i += 1) {
    collect();
    await pause(5);
  }
}
