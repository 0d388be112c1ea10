import { readdirSync, readFileSync } from "node:fs";
import type { Gateway } from "./gateway.js";

type Own = Pick<Gateway, "dataDir">;

/** Returns a process of this gateway by its member name. Searches /proc, because no file lists routers. */
export function memberPid(gateway: Own, name: string): number | undefined {
  return pidOf(gateway, ({ environment }) => environment.includes(`MEMBER_NAME=${name}`));
}

/** Returns `undefined` while the sandbox restarts. */
export function sandboxPid(gateway: Own): number | undefined {
  return pidOf(gateway, ({ command }) => command.includes("test/sandbox/main"));
}

export function supervisorPid(gateway: Own): number | undefined {
  return pidOf(gateway, ({ command }) => command.includes("deploy/supervisor/main"));
}

interface Process {
  readonly environment: readonly string[];
  readonly command: string;
}

function pidOf({ dataDir }: Own, isWanted: (process: Process) => boolean): number | undefined {
  const found = readdirSync("/proc").find((pid) => {
    const environment = /^\d+$/.test(pid) ? read(pid, "environ").split("\0") : [];
    return environment.includes(`DATA_DIR=${dataDir}`) && isWanted({ environment, command: read(pid, "cmdline") });
  });
  return found === undefined ? undefined : Number(found);
}

function read(pid: string, file: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // The process has ended or belongs to another user.
  }
}
