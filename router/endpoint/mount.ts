import { factsOf, type EndpointName } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { Log } from "../../shared/log/logger.js";
import type { HttpMethod, HttpRequest } from "../http/request.js";
import type { AtHand, HttpHandler, RouteOptions, RoutePath } from "../http/handler.js";
import type { Endpoints } from "./endpoint.js";
import { readIdempotencyKey } from "../idempotency/idempotency-key.js";
import { readCredentials } from "./authenticate.js";
import { catching, refusing, serve, type ServeParts } from "./serve.js";

/** The part of the HTTP app that takes routes. */
export interface RoutePort {
  route(method: HttpMethod, path: RoutePath, handler: HttpHandler, options: RouteOptions): void;
}

export interface HandleOptions {
  /** Throws when the head alone shows that the caller may not; by default when a session's credentials are missing or malformed. */
  readonly check?: (request: Pick<HttpRequest, "headers" | "address">) => void;
  readonly atHand?: AtHand;
}

/** One platform's place on the app: every route under its prefix (`/telegram`, or empty), every handler behind the one catch. */
export class Mount<P extends Platform> {
  constructor(
    private readonly app: RoutePort,
    readonly platform: P,
    private readonly prefix: "" | RoutePath,
    private readonly log: Log,
  ) {}

  /** An endpoint that the router answers alone. `name` is its label in metrics and logs; `workMs` the deadlines of the commands that it may send, one after the other. */
  handle(
    method: HttpMethod,
    path: RoutePath,
    name: string,
    workMs: number,
    handler: HttpHandler,
    { check = readCredentials, atHand }: HandleOptions = {},
  ): void {
    const label = `${this.platform} ${name}`;
    const options = {
      name: label,
      deadlineMs: workMs + marginMs,
      refusal: refusing(check, label, this.log),
      ...(atHand === undefined ? {} : { atHand }),
    };
    this.app.route(method, `${this.prefix}${path}` as const, catching(handler, label, this.log), options);
  }

  /** The platform's table of endpoints that a shard answers. */
  endpoints(parts: ServeParts, endpoints: Endpoints<P>): void {
    const isName = (name: string): name is EndpointName<P> => Object.hasOwn(endpoints, name);
    const add = <C extends EndpointName<P>>(name: C): void => {
      const endpoint = endpoints[name];
      const [method, path] = split(endpoint.route);
      const check = endpoint.keyed === true ? { check: checkKeyed } : {};
      this.handle(method, path, name, factsOf(this.platform, name).deadlineMs, serve(parts, this.platform, name, endpoint), check);
    };
    for (const name of Object.keys(endpoints)) if (isName(name)) add(name);
  }
}

function checkKeyed(request: Pick<HttpRequest, "headers">): void {
  readCredentials(request);
  readIdempotencyKey(request);
}

/** Over the commands' own deadlines: authentication, the wait for an owner, and a slow body. */
const marginMs = 20_000;

function split(route: `${HttpMethod} ${RoutePath}`): [HttpMethod, RoutePath] {
  for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE"] as const) {
    if (route.startsWith(`${method} `)) return [method, `/${route.slice(method.length + 2)}`];
  }
  throw new Error(`route without a known method: ${route}`);
}
