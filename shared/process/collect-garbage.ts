import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage and blocks the event loop meanwhile. A process calls it once when it starts: V8 would keep the garbage of loading
 * the program until a load has filled the heap.
 */
export function collectGarbage(): void {
  // The flag at run time spares each start command a flag of its own. Later contexts and threads do not get the function.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}
