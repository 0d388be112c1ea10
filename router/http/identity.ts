import type { SessionId } from "../../shared/contract/ids.js";

/** Who makes a request, as it has shown. */
export interface Identity {
  /** Id of its api key, or `session` for a session's own secret. */
  readonly who: string;
  /** The tenant that the request concerns; empty where it concerns none, or all. */
  readonly tenant: string;
  /** Which tenant of that name (`TenantLife`). */
  readonly incarnation?: string;
  /** A known key asked for what is not its to ask for. */
  readonly refused?: true;
  /** The session that it concerns. */
  readonly session?: SessionId;
  /** What an operator's call made, as the path behind `/admin/` names it from then on. */
  readonly made?: string;
}
