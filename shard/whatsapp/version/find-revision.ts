import { AbortScope } from "../../../shared/flow/abort-scope.js";
import { fetchUnredirected } from "../../../shared/flow/fetch-unredirected.js";
import type { Route } from "../../egress/egress.js";
import { routedDispatcher } from "../../egress/routed-dispatcher.js";
import { type ClientVersion, revisionIn } from "./parse-version.js";

export interface RevisionLookup {
  readonly url: URL;
  readonly route: Route;
  readonly library: ClientVersion;
  readonly signal: AbortSignal;
  readonly withinMs: number;
}

/**
 * Returns the last number of the newest web client version. Rejects with a sentence. The library's own lookup has no limits, only one
 * address, and hides failures by returning its own version.
 */
export async function findRevision({ url, route, library, signal, withinMs }: RevisionLookup): Promise<number> {
  const scope = new AbortScope([signal], withinMs);
  // Aborting the dispatcher also ends a connection that is still dialling or waiting for a silent server.
  const dispatcher = routedDispatcher({ route, signal: scope.signal });
  try {
    const response = await fetchUnredirected(url, { dispatcher, headers: asBrowser, signal: scope.signal });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new Error(`the look-up was answered ${response.status}`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop ends the request.
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > bodyMaxBytes) throw new Error("the look-up was answered by too much");
      parts.push(part);
    }
    const revision = revisionIn(Buffer.concat(parts).toString(), library);
    if (revision === undefined) throw new Error("the look-up was answered by something that names no version");
    return revision;
  } finally {
    scope.close();
    await dispatcher.destroy();
  }
}

export const lookupMs = 10_000;
const bodyMaxBytes = 4 * 1024 * 1024;
/** The platform sends other clients a page that names no version. */
const asBrowser = {
  "sec-fetch-site": "none",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
};
