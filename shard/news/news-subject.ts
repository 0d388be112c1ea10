import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { TenantName } from "../../shared/contract/tenant.js";

/** Of whose session operators hear. */
export interface NewsSubject {
  readonly id: SessionId;
  readonly platform: Platform;
  readonly tenant: TenantName;
}
