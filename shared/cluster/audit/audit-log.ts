import type { ProcessSettings } from "../../process/settings.js";
import { createLog, type Log } from "../../log/logger.js";

/** Audit lines have level info but are also written at the default level `warn`, so that the audit needs no setting. */
export function createAuditLog(role: "router" | "shard", { name, logLevel }: Pick<ProcessSettings, "name" | "logLevel">): Log {
  return createLog({ role, member: name }, logLevel === "warn" ? "info" : logLevel);
}
