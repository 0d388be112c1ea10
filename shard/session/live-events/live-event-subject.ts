import type { SessionId } from "../../../shared/contract/ids.js";
import type { Platform } from "../../../shared/contract/platform.js";
import type { OfTenant } from "../../../shared/contract/tenant.js";

/** The session that an event for operators is about. */
export interface LiveEventSubject extends OfTenant {
  readonly id: SessionId;
  readonly platform: Platform;
}
