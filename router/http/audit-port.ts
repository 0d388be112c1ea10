import type { Identity } from "./identity.js";
import type { RequestHead } from "./request.js";

/** A request of a known caller that is to be on record. */
export interface AuditedRequest {
  /** What it asked for. */
  readonly action: string;
  readonly head: RequestHead;
  /** Whose share of the limits it took: an address, of IPv6 its first 64 bits. */
  readonly address: string;
  readonly identity: Identity;
  /** 0 when its caller left before the answer. */
  readonly status: number;
}

/** Who did what. The app tells it of every route, so that no endpoint has to. Must not throw and must not wait. */
export interface AuditPort {
  /** Under which name a route's requests are on record; `undefined` for those that are not. Asked once for each route. */
  actionOf(route: string): string | undefined;
  record(request: AuditedRequest): void;
  /** Somebody's credentials were not right. */
  refused(address: string): void;
}
