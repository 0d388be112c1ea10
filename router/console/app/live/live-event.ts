import type { News } from "../../../../shared/cluster/news.js";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";

/** Ids are texts to those who read them. */
type Plain<T> = T extends News ? { [Name in keyof T]: T[Name] extends SessionId | TenantName ? string : T[Name] } : never;

/** `GET /admin/events`. `missed`: something before it was not told, so lists are to be read again. */
export type LiveEvent = Plain<News>;
