import type { SecureContext } from "node:tls";
import { Agent, buildConnector, interceptors } from "undici";
import { portOf } from "../files/download/url-port.js";
import type { Route } from "./egress.js";

export interface RoutedDispatcherOptions {
  readonly route: Route;
  /** Holds the trusted authorities; absent for those that Node knows. */
  readonly secureContext?: SecureContext;
  readonly signal: AbortSignal;
  /** Retries requests that the server refuses temporarily, and those whose connection breaks. */
  readonly retries?: boolean;
}

/** The dispatcher type of Node's `fetch`: the library's class under types of its own. */
export type FetchDispatcher = NonNullable<RequestInit["dispatcher"]>;

/**
 * Returns a dispatcher for `fetch` whose connections take a route. Each request has a connection of its own, so none uses one that its
 * server has just closed.
 */
export function routedDispatcher({ route, secureContext, signal, retries = false }: RoutedDispatcherOptions): FetchDispatcher {
  const encrypt = buildConnector({ ...(secureContext === undefined ? {} : { secureContext }), allowH2: false, timeout: idleMs });
  const agent = new Agent({
    connect: (options, done) => {
      route.dial({ host: options.hostname, port: portOf(options) }, signal).then(
        (socket) => {
          if (options.protocol !== "https:") return done(null, socket);
          // The library waits for the end of the handshake, even after the caller has gone.
          const cut = (): void => void socket.destroy();
          signal.addEventListener("abort", cut, { once: true });
          encrypt({ ...options, httpSocket: socket }, (...outcome) => {
            signal.removeEventListener("abort", cut);
            done(...outcome);
          });
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    connections: connectionsMax,
    pipelining: 0,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    maxResponseSize: responseMaxBytes,
  });
  return (retries ? agent.compose(interceptors.retry(retryOptions)) : agent) as unknown as FetchDispatcher;
}

/** The pauses are 3.75 s in all: a wait for an app state holds up the account's messages. */
const retryOptions = { maxRetries: 4, minTimeout: 250, timeoutFactor: 2, maxTimeout: 2_000, statusCodes: [408, 429, 500, 502, 503, 504] };
const connectionsMax = 4;
const idleMs = 60_000;
/** The library keeps a fetched body in memory. The first part of the largest accounts' history has some 20 MB. */
const responseMaxBytes = 128 * 1024 * 1024;
