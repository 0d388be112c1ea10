import { factsOf, type EndpointName } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { Log } from "../../shared/log/logger.js";
import type { HttpMethod } from "../http/request.js";
import { splitRoute, type HttpHandler, type RouteOptions, type RoutePath } from "../http/handler.js";
import type { KeyPort } from "../tenant/principal.js";
import type { Callers, Endpoints } from "./endpoint.js";
import { readIdempotencyKey } from "../sessions/idempotency/idempotency-key.js";
import { ArrivalOrder } from "./arrival-order.js";
import { readClaim } from "./authenticate.js";
import type { CallerHandler } from "./caller-handler.js";
import { catching, refusing, serve, type GuardPort, type HeadCheck, type ServeParts } from "./serve.js";

/** The part of the HTTP app that registers routes. */
export interface RoutePort {
  route(method: HttpMethod, path: RoutePath, handler: HttpHandler, options: RouteOptions): void;
}

export interface HandleOptions extends Pick<RouteOptions, "atHand" | "exact" | "compressible"> {
  /** Throws if the head alone shows that the caller is not allowed. By default it checks the form of the session credentials. */
  readonly check?: HeadCheck;
}

/** Registers one platform's routes under its prefix (`/telegram`, or empty). Every handler runs inside `catching`. */
export class Mount<P extends Platform> {
  constructor(
    private readonly app: RoutePort,
    readonly platform: P,
    private readonly prefix: "" | RoutePath,
    readonly keys: KeyPort,
    readonly guard: GuardPort,
    readonly log: Log,
  ) {}

  /**
   * Registers an endpoint of the router itself. `name` is its label in metrics and logs. `workMs`: sum of the deadlines of the commands
   * that it may send in sequence.
   */
  handle<Caller>(
    route: `${HttpMethod} ${RoutePath}`,
    name: string,
    workMs: number,
    handler: CallerHandler<Caller>,
    { check = (request) => readClaim(this.keys, request), ...options }: HandleOptions = {},
  ): void {
    const [method, path] = splitRoute(route);
    const label = `${this.platform} ${name}`;
    const refusal = refusing(check, this);
    this.app.route(method, `${this.prefix}${path}` as const, catching(handler, label, this), {
      ...options,
      name: label,
      deadlineMs: workMs + marginMs,
      refusal,
    });
  }

  private readonly keyedCheck: HeadCheck = (request) => {
    readClaim(this.keys, request);
    readIdempotencyKey(request);
  };

  private checkOf({ check }: Callers): HeadCheck {
    return (request) => check(this.keys, request);
  }

  /** Registers the platform's endpoints that shards serve. */
  endpoints(given: Omit<ServeParts, "keys" | "arrivals">, endpoints: Endpoints<P>): void {
    const parts = { ...given, keys: this.keys, arrivals: new ArrivalOrder() };
    const isName = (name: string): name is EndpointName<P> => Object.hasOwn(endpoints, name);
    const add = <C extends EndpointName<P>>(name: C): void => {
      const endpoint = endpoints[name];
      const options: HandleOptions = {
        ...(endpoint.keyed === true ? { check: this.keyedCheck } : {}),
        ...(endpoint.callers === undefined ? {} : { check: this.checkOf(endpoint.callers) }),
        compressible: endpoint.compressible === true,
      };
      this.handle(endpoint.route, name, factsOf(this.platform, name).deadlineMs, serve(parts, this.platform, name, endpoint), options);
    };
    for (const name of Object.keys(endpoints)) if (isName(name)) add(name);
  }
}

/** Added to the commands' deadlines for authentication, the wait for an owner, and a slow body. */
const marginMs = 20_000;
