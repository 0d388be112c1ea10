import type { Identity } from "./identity.js";
import type { RequestHead } from "./request.js";

/** A request of a known caller that belongs in the audit log. */
export interface AuditedRequest {
  /** Name of the action. */
  readonly action: string;
  readonly head: RequestHead;
  /** Address that the request counts against in the limits: of IPv6 the first 64 bits. */
  readonly address: string;
  readonly identity: Identity;
  /** Status of the response; 0 if the client left first. */
  readonly status: number;
}

/** Records who did what. The app calls it for every route, so endpoints need not. Must not throw and must not wait. */
export interface AuditPort {
  /** Returns the name under which requests of a route are recorded, or `undefined` if they are not. Called once per route. */
  actionOf(route: string): string | undefined;
  record(request: AuditedRequest): void;
  /** Records that credentials from this address were rejected. */
  refused(address: string): void;
}
