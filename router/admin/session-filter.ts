import { mustBeOneOf, shouldNotBeEmpty } from "../../shared/contract/rules.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import { isPlatform, platforms, type Platform } from "../../shared/contract/platform.js";
import type { TenantLife } from "../../shared/contract/tenant.js";
import type { Principal } from "../tenant/principal.js";
import type { SessionRow } from "./session-row.js";

/** Filter of a session list; absent fields match all. */
export interface SessionFilter {
  readonly tenant?: string;
  readonly platform?: string;
  readonly state?: string;
  readonly member?: string;
  readonly label?: string;
  readonly q?: string;
  /** Only sessions of this tenant, and not of a deleted one with its name. */
  readonly owner?: TenantLife;
}

/** How a list of sessions is narrowed. */
export interface SessionFilterForm {
  /** Only sessions of this tenant. */
  tenant?: string;
  /** Only sessions of this platform. */
  platform?: Platform;
  /** Only sessions in this state. */
  state?: SessionRow["state"];
  /** Only sessions of this shard. */
  member?: string;
  /** Only sessions with exactly this label. */
  label?: string;
  /** Searches for a part of a phone number, username, name or label, or for the start of an id. */
  q?: string;
}

export const filterNames = ["tenant", "platform", "state", "member", "label", "q"] as const;

const states = ["awaiting-qr", "awaiting-password", "connected", "disconnected"] as const satisfies readonly SessionRow["state"][];

/** Throws 400 for an unknown platform or state, because such a list would always be empty. */
export function parseFilter(query: SessionFilter): SessionFilter {
  const { platform, state, q } = query;
  if (platform !== undefined && !isPlatform(platform)) throw new ApiError(400, mustBeOneOf("platform", platforms));
  if (state !== undefined && !states.some((candidate) => candidate === state)) throw new ApiError(400, mustBeOneOf("state", states));
  if (q?.trim() === "") throw new ApiError(400, shouldNotBeEmpty("q"));
  return query;
}

/** Limits the filter to what the caller may see; `undefined` if that is nothing. */
export function visibleTo(principal: Principal, filter: SessionFilter): SessionFilter | undefined {
  if (principal.role === "admin") return filter;
  return filter.tenant === undefined || filter.tenant === principal.tenant
    ? { ...filter, tenant: principal.tenant, owner: principal }
    : undefined;
}

/** Returns the only session that can match, if the filter names a whole id. */
export function onlySession({ q }: SessionFilter): SessionId | undefined {
  return q !== undefined && isSessionId(q) ? q : undefined;
}

/** `username` is searched but not shown. */
export function matches({ tenant, platform, state, member, label, q }: SessionFilter, row: SessionRow, username: string): boolean {
  return (
    isEither(tenant, row.tenant) &&
    isEither(platform, row.platform) &&
    isEither(state, row.state) &&
    isEither(member, row.member) &&
    isEither(label, row.label) &&
    (q === undefined || found(q.trim(), row, username))
  );
}

function isEither(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted === value;
}

/** Matches the start of an id, consecutive digits of a phone number in any format, or any part of a username, name or label. */
function found(q: string, { id, phone, name, label }: SessionRow, username: string): boolean {
  if (id.startsWith(q)) return true;
  const digits = q.replace(/[\s()./+-]/g, "");
  if (/^\d+$/.test(digits) && phone.replace(/\D/g, "").includes(digits)) return true;
  const text = q.toLowerCase();
  if (name.toLowerCase().includes(text) || label.toLowerCase().includes(text)) return true;
  const handle = text.replace(/^@/, "");
  return handle !== "" && username.toLowerCase().includes(handle);
}
