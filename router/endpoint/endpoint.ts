import type { CallOptions, KeyedCallOptions } from "../bus/call-options.js";
import type { CommandName, EndpointName, Input, Output } from "../../shared/contract/commands.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { Empty } from "../../shared/contract/session.js";
import type { HttpMethod, HttpRequest } from "../http/request.js";
import type { KeyPort } from "../tenant/principal.js";
import type { Authenticated, SessionPort } from "./authenticate.js";

/** What a `parse` sees: decoded texts and the parsed body. A repeated query parameter is an array. */
export interface HttpInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** An empty body is an empty object. */
  readonly body: unknown;
}

/** One endpoint that a shard answers: its route, its input out of HTTP, its output into JSON. Success is 200. */
export interface Endpoint<P extends Platform, C extends CommandName<P>> {
  readonly route: `${HttpMethod} /${string}`;
  readonly parse: (http: HttpInput) => Input<P, C>;
  readonly reply: (output: Output<P, C>) => string;
  /** Takes the header `Idempotency-Key`. Its command is no `read`: only the others leave a record. */
  readonly keyed?: true;
  /** Its answers hold no secret (`RouteOptions`). */
  readonly compressible?: true;
  /** Who may call it besides those who may call all. */
  readonly callers?: Callers;
}

/** Another way to tell who calls: `check` by the head alone, as `readClaim` does. */
export interface Callers {
  readonly check: (keys: KeyPort, request: Pick<HttpRequest, "headers">) => unknown;
  readonly authenticate: (sessions: SessionPort, keys: KeyPort, platform: Platform, request: HttpRequest) => Promise<Authenticated>;
}
export type Endpoints<P extends Platform> = { readonly [C in EndpointName<P>]: Endpoint<P, C> };

/** The `parse` of an endpoint without parameters. */
export function nothing(): Empty {
  return {};
}

/**
 * Sends a command to the shard that owns the session and waits for its answer. Rejects with the document's errors;
 * every wait in it ends with the command's deadline or with `options.signal`.
 */
export interface CommandPort {
  call<P extends Platform, C extends CommandName<P>>(
    platform: P,
    command: C,
    session: SessionId,
    input: Input<P, C>,
    options?: CallOptions,
  ): Promise<Output<P, C>>;

  /** The same for a request with an idempotency key: resolves, and rejects, as the first of that key did where that had, or may have had, its effect. */
  callKeyed<P extends Platform, C extends CommandName<P>>(
    platform: P,
    command: C,
    session: SessionId,
    input: Input<P, C>,
    options: KeyedCallOptions,
  ): Promise<{ readonly output: Output<P, C>; readonly replayed: boolean }>;
}
