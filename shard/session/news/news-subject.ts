import type { SessionId } from "../../../shared/contract/ids.js";
import type { Platform } from "../../../shared/contract/platform.js";
import type { OfTenant } from "../../../shared/contract/tenant.js";

/** Of whose session operators hear. */
export interface NewsSubject extends OfTenant {
  readonly id: SessionId;
  readonly platform: Platform;
}
