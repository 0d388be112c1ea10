import { setMaxListeners } from "node:events";
import type { Agent } from "node:https";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { Route } from "../../egress/egress.js";
import { routedAgent } from "../../egress/routed-agent.js";
import { routedDispatcher, type FetchDispatcher } from "../../egress/routed-dispatcher.js";

/**
 * How files come and go: what the library and this folder ask media hosts with. Each file has a connection of its own: one that was kept may be ended by its host just as the
 * next file goes out, which neither Node nor the library tries again.
 */
export interface MediaTransport {
  /** Of Node's HTTP client: uploads, and pictures. */
  readonly agent: Agent;
  /** Of `fetch`: blobs of the history and of the app state. */
  readonly dispatcher: FetchDispatcher;
  /** Nobody uses it any more. */
  close(): void;
}

/** All sessions that go directly share one line; each that goes through a proxy has its own, for as long as a connection. */
export class MediaTransports {
  /** Made once, with the first connection: to parse the public certificates takes 15 ms of CPU. */
  private secureContext: SecureContext | undefined;
  private shared: MediaTransport | undefined;

  /** `mediaCa`: PEM text of an authority beside the public ones. */
  constructor(private readonly mediaCa: string | undefined) {}

  take(route: Route): MediaTransport {
    if (route.proxied) return this.open(route, 4);
    this.shared ??= { ...this.open(route, 50), close: () => undefined };
    return this.shared;
  }

  private open(route: Route, maxSockets: number): MediaTransport {
    if (this.mediaCa !== undefined) this.secureContext ??= createSecureContext({ ca: [...rootCertificates, this.mediaCa] });
    const { secureContext } = this;
    const closing = new AbortController();
    // One listener for each connection that is being dialled, and the line bounds their number.
    setMaxListeners(0, closing.signal);
    const given = { route, signal: closing.signal, ...(secureContext === undefined ? {} : { secureContext }) };
    const agent = routedAgent({ ...given, keepAlive: false, maxSockets });
    const dispatcher = routedDispatcher({ ...given, retries: true });
    return {
      agent,
      dispatcher,
      close: () => {
        closing.abort(new Error("the connection is closed"));
        agent.destroy();
        dispatcher.destroy().catch(() => undefined);
      },
    };
  }
}
