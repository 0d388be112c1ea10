import { join } from "node:path";
import type { Lifecycle } from "../shared/process/lifecycle.js";
import { TempFolder } from "./files/download/temp-folder.js";

/**
 * Returns the path of the process's own temp folder, for `TMPDIR`. Libraries keep encrypted media there during an upload. In the machine's
 * folder a killed process would leave it for ever.
 */
export function libraryTempFolder(dataDir: string, lifecycle: Lifecycle): string {
  const temp = new TempFolder(join(dataDir, "temp"), "library");
  lifecycle.add(["temp folder", { start: () => temp.open(), stop: () => temp.remove() }]);
  return temp.path;
}
