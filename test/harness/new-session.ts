import type { NewSession } from "../../shared/contract/command-row.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";

/** Returns the fields of a create command for a session without any options. */
export function newSession(secretHash: string, tenant: TenantName = defaultTenant): NewSession {
  return { secretHash, tenant, label: "", metadata: "", proxy: "" };
}
