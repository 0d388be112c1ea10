import type { CallOptions, KeyedCallOptions } from "../bus/call-options.js";
import type { CommandName, EndpointName, Input, Output } from "../../shared/contract/commands.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { Empty } from "../../shared/contract/session.js";
import type { HttpMethod, HttpRequest } from "../http/request.js";
import type { KeyPort } from "../tenant/principal.js";
import type { Authenticated, SessionPort } from "./authenticate.js";

/** Decoded request for a `parse` function. A repeated query parameter is an array. */
export interface HttpInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** An empty body is an empty object. */
  readonly body: unknown;
}

/** One endpoint that a shard serves: its route, and the conversion of input and output. Success is 200. */
export interface Endpoint<P extends Platform, C extends CommandName<P>> {
  readonly route: `${HttpMethod} /${string}`;
  readonly parse: (http: HttpInput) => Input<P, C>;
  readonly reply: (output: Output<P, C>) => string;
  /** Accepts the header `Idempotency-Key`. The command must not be a `read`, because reads leave no record. */
  readonly keyed?: true;
  /** Returns how many messages the request sends, for the daily quota of its tenant. Without it: one. */
  readonly messages?: (input: Input<P, C>) => number;
  /** The responses hold no secret (`RouteOptions`). */
  readonly compressible?: true;
  /** Extra callers who may use this endpoint. */
  readonly callers?: Callers;
}

/** Another way to authenticate. `check` uses only the head, as `readClaim` does. */
export interface Callers {
  readonly check: (keys: KeyPort, request: Pick<HttpRequest, "headers">) => unknown;
  readonly authenticate: (sessions: SessionPort, keys: KeyPort, platform: Platform, request: HttpRequest) => Promise<Authenticated>;
}
export type Endpoints<P extends Platform> = { readonly [C in EndpointName<P>]: Endpoint<P, C> };

/** Parses an endpoint without parameters. */
export function nothing(): Empty {
  return {};
}

/**
 * Sends a command to the shard that owns the session and waits for the result. Rejects with the document's errors. Every wait ends with
 * the command's deadline or `options.signal`.
 */
export interface CommandPort {
  call<P extends Platform, C extends CommandName<P>>(
    platform: P,
    command: C,
    session: SessionId,
    input: Input<P, C>,
    options?: CallOptions,
  ): Promise<Output<P, C>>;

  /**
   * Does the same with an idempotency key. If an earlier request with the key had, or may have had, its effect, it settles as that request
   * did.
   */
  callKeyed<P extends Platform, C extends CommandName<P>>(
    platform: P,
    command: C,
    session: SessionId,
    input: Input<P, C>,
    options: KeyedCallOptions,
  ): Promise<{ readonly output: Output<P, C>; readonly replayed: boolean }>;
}
