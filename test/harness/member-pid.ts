import { readdirSync, readFileSync } from "node:fs";
import type { Gateway } from "./gateway.js";

/** Returns a process of this gateway by its member name. Searches /proc, because no file lists routers. */
export function memberPid({ dataDir }: Pick<Gateway, "dataDir">, name: string): number | undefined {
  const found = readdirSync("/proc").find((pid) => {
    const own = /^\d+$/.test(pid) ? environmentOf(pid) : [];
    return own.includes(`MEMBER_NAME=${name}`) && own.includes(`DATA_DIR=${dataDir}`);
  });
  return found === undefined ? undefined : Number(found);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return []; // The process has ended or belongs to another user.
  }
}
