import type { OperatorEvent } from "../../../../shared/cluster/live-events.js";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";

/** Ids are texts to those who read them. */
type Plain<T> = T extends OperatorEvent ? { [Name in keyof T]: T[Name] extends SessionId | TenantName ? string : T[Name] } : never;

/** Event of `GET /admin/events`. `missed`: earlier events were lost, so lists must be read again. */
export type LiveEvent = Plain<OperatorEvent>;
