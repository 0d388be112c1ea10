import type { ProcessSettings } from "../../process/settings.js";
import { createLog, type Log } from "../../log/logger.js";

/** Lines of the audit are of level info, and are there at the level `warn` too, which is the default: who did what is not to be turned on first. */
export function createAuditLog(role: "router" | "shard", { name, logLevel }: Pick<ProcessSettings, "name" | "logLevel">): Log {
  return createLog({ role, member: name }, logLevel === "warn" ? "info" : logLevel);
}
