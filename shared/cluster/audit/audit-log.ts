import type { ProcessSettings } from "../../process/settings.js";
import { createLog, type Log } from "../../log/logger.js";

/** Audit lines have level info. The default level `warn` shows them too, except on a terminal: `trunkline audit` lists them there. */
export function createAuditLog(role: "router" | "shard", { name, logLevel }: Pick<ProcessSettings, "name" | "logLevel">): Log {
  return createLog({ role, member: name }, logLevel === "warn" && !process.stdout.isTTY ? "info" : logLevel);
}
