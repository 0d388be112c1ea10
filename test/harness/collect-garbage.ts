import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Until what nothing holds is gone, and has been told of to whoever waits for that. */
export async function collectGarbage(): Promise<void> {
  for (let i = 0; i < 2; i += 1) {
    collect();
    await pause(5);
  }
}
