import { Agent, buildConnector, request, type Dispatcher } from "undici";
import type { AddressGuard } from "./address-guard.js";
import { DownloadError } from "./download-error.js";

export interface HopLimits {
  readonly connectMs: number;
  readonly firstByteMs: number;
}

/** One request with a connection of its own. `close` ends both. */
export interface Hop {
  readonly response: Dispatcher.ResponseData;
  close(): Promise<void>;
}

const requestHeaders = { accept: "*/*", "accept-encoding": "identity", "user-agent": "Mozilla/5.0 (compatible; Trunkline)" };

/**
 * Sends one GET on a new connection to an address that the guard has checked, and returns the response's head. Follows no redirect, uses
 * no proxy and no cookies. Rejects with undici's error, or the signal's reason.
 */
export async function openHop(url: URL, guard: AddressGuard, limits: HopLimits, signal: AbortSignal): Promise<Hop> {
  const late = new AbortController();
  let firstByteTimer: NodeJS.Timeout | undefined;
  // The connect time covers name resolution, TCP and TLS. The first-byte timer starts after them.
  const connect = buildConnector({ timeout: limits.connectMs, lookup: guard.lookup(url), allowH2: false, maxCachedSessions: 0 });
  const agent = new Agent({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        firstByteTimer = setTimeout(
          () => late.abort(new DownloadError("timeout", undefined, `no response within ${limits.firstByteMs / 1_000} s`)),
          limits.firstByteMs,
        );
        callback(null, socket);
      }),
    maxHeaderSize: 16 * 1024,
    connections: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const response = await request(url, { dispatcher: agent, headers: requestHeaders, signal: AbortSignal.any([signal, late.signal]) });
    // A body may fail before it is read; its reader still gets the error.
    response.body.on("error", () => undefined);
    return {
      response,
      close: () => {
        response.body.destroy();
        return agent.destroy();
      },
    };
  } catch (error) {
    await agent.destroy();
    throw error;
  } finally {
    clearTimeout(firstByteTimer);
  }
}
