import type { NewSession } from "../../shared/contract/command-row.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";

/** What a command that creates a session is told of one that nobody says anything about. */
export function newSession(secretHash: string, tenant: TenantName = defaultTenant): NewSession {
  return { secretHash, tenant, label: "", metadata: "", proxy: "" };
}
