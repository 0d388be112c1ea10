import { readdir, readFile } from "node:fs/promises";
import type { Gateway } from "../../test/harness/gateway.js";

/**
 * Returns the process id of the gateway's first process with this entry, such as `router/main.js`. Finds it by command line and data
 * folder.
 */
export async function gatewayProcess({ dataDir }: Pick<Gateway, "dataDir">, entry: string): Promise<number> {
  const pids = (await readdir("/proc"))
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => a - b);
  for (const pid of pids) {
    try {
      const [command, environment] = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, "utf8"),
        readFile(`/proc/${pid}/environ`, "utf8"),
      ]);
      if (
        command.split("\0").some((part) => part.endsWith(`/${entry}`)) &&
        environment.split("\0").some((setting) => setting.startsWith("DATA_DIR=") && setting.includes(dataDir))
      )
        return pid;
    } catch {
      continue; // The process has ended, or belongs to another user.
    }
  }
  throw new Error(`no process ${entry} of this gateway`);
}
