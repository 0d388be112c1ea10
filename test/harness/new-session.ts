import type { NewSession } from "../../shared/contract/command-row.js";
import { defaultTenant } from "../../shared/contract/tenant.js";

/** What a command that creates a session is told of one that nobody says anything about. */
export function newSession(secretHash: string): NewSession {
  return { secretHash, tenant: defaultTenant, label: "", metadata: "" };
}
