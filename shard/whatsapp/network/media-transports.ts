import { setMaxListeners } from "node:events";
import type { Agent } from "node:https";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { Route } from "../../egress/egress.js";
import { routedAgent } from "../../egress/routed-agent.js";
import { routedDispatcher, type FetchDispatcher } from "../../egress/routed-dispatcher.js";

/**
 * The HTTP clients for media hosts. Each whole file gets a connection of its own: a host may close a kept connection just as the next file
 * starts, which neither Node nor the library retries.
 */
export interface MediaTransport {
  /** For Node's HTTP client: uploads and pictures. */
  readonly agent: Agent;
  /** For ranges of received files: keeps connections for a moment. Its user retries when the host has closed one. */
  readonly rangeAgent: Agent;
  /** For `fetch`: blobs of the history and of the app state. */
  readonly dispatcher: FetchDispatcher;
  /** Closes the clients. Call it when the connection has ended. */
  close(): void;
}

/** Opens the HTTP clients. Sessions without a proxy share one pair; a session with a proxy has its own for each connection. */
export class MediaTransports {
  /** Created once, with the first connection, because parsing the public certificates takes 15 ms of CPU. */
  private secureContext: SecureContext | undefined;
  private shared: MediaTransport | undefined;

  /** `mediaCa`: PEM text of an authority beside the public ones. */
  constructor(private readonly mediaCa: string | undefined) {}

  take(route: Route): MediaTransport {
    if (route.proxied) return this.open(route, { maxSockets: 4, maxFreeSockets: 2 });
    this.shared ??= { ...this.open(route, { maxSockets: 50, maxFreeSockets: 8 }), close: () => undefined };
    return this.shared;
  }

  /** The limits count connections to one host. */
  private open(route: Route, { maxSockets, maxFreeSockets }: { maxSockets: number; maxFreeSockets: number }): MediaTransport {
    if (this.mediaCa !== undefined) this.secureContext ??= createSecureContext({ ca: [...rootCertificates, this.mediaCa] });
    const { secureContext } = this;
    const closing = new AbortController();
    // Each connection that is being dialled adds one listener; `maxSockets` bounds their number.
    setMaxListeners(0, closing.signal);
    const given = { route, signal: closing.signal, ...(secureContext === undefined ? {} : { secureContext }) };
    const agent = routedAgent({ ...given, keepAlive: false, maxSockets });
    const rangeAgent = routedAgent({ ...given, keepAlive: true, maxSockets, maxFreeSockets, timeout: keptMs });
    const dispatcher = routedDispatcher({ ...given, retries: true });
    return {
      agent,
      rangeAgent,
      dispatcher,
      close: () => {
        closing.abort(new Error("the connection is closed"));
        agent.destroy();
        rangeAgent.destroy();
        dispatcher.destroy().catch(() => undefined);
      },
    };
  }
}

/** Longer than a reader takes from one chunk to the next. */
const keptMs = 10_000;
