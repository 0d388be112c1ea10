import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";
import { pause } from "../../shared/flow/pause.js";
import { type EndedConnection, rerouteGapMs, type RerouteGaps } from "./reroute-gap.js";

export interface SessionRouteOptions {
  /** Reads the proxy of the next connection. */
  readonly proxy: () => Promise<ProxyAddress | undefined>;
  readonly gaps: RerouteGaps;
}

/** The route of a session's connections. Both fields outlive a connection, because the gap lies between two of them. */
export class SessionRoute {
  /** The proxy of the newest connection. */
  private current: ProxyAddress | undefined;
  /** The last connection of the current login. */
  private last: EndedConnection | undefined;

  constructor(private readonly options: SessionRouteOptions) {}

  /**
   * Returns the proxy of the next connection. If it differs from the last one, waits until the platform has certainly seen the last
   * connection end. Rejects when the signal aborts during that wait.
   */
  async next(signal: AbortSignal): Promise<ProxyAddress | undefined> {
    for (;;) {
      const proxy = await this.options.proxy();
      const gapMs = rerouteGapMs(this.last, proxy, performance.now(), this.options.gaps);
      if (gapMs === 0) {
        this.current = proxy;
        return proxy;
      }
      await pause(gapMs, signal);
      signal.throwIfAborted();
    }
  }

  /** Call when a logged-in connection has ended. `byUs`: this process closed it. */
  ended(byUs: boolean): void {
    this.last = { at: performance.now(), byUs, proxy: this.current };
  }

  /** Call when another login begins: the former connection cannot harm it. */
  forget(): void {
    this.last = undefined;
  }
}
