import { chunkOf } from "./chunk.js";
import type { InFlightLimit } from "../endpoint/in-flight-limit.js";
import type { AtHand } from "../http/handler.js";
import type { ChunkLoader } from "./chunk-loader.js";
import type { MediaMemory } from "./media-memory.js";
import type { BytesPort } from "./media-bytes.js";
import { bytesResponse, mediaReply } from "./media-reply.js";
import { isConnected, isLoggedIn, mustReadAgain } from "./media-freshness.js";
import type { MediaSessionPort } from "./media-login.js";

export interface MediaAtHandParts {
  readonly sessions: Pick<MediaSessionPort, "atHand">;
  readonly memory: MediaMemory;
  readonly loader: Pick<ChunkLoader, "atHand">;
  readonly inFlight: InFlightLimit;
  readonly bytes: Pick<BytesPort, "tryPay" | "refund">;
  readonly metrics: LookupMetrics;
}

export interface LookupMetrics {
  /** Counts a lookup of a link or its session in this process's memory. */
  lookup(of: "link" | "session", hit: boolean): void;
}

/**
 * Responds to a media link from memory, without a wait or copy, if link, session, description and the one needed chunk are all there. In
 * any doubt the handler (`get-media.ts`) decides by the same rules.
 */
export function mediaAtHand({ sessions, memory, loader, inFlight, bytes, metrics }: MediaAtHandParts): AtHand {
  return (request) => {
    const cached = memory.get(request.path);
    metrics.lookup("link", cached !== undefined);
    if (cached === undefined) return undefined;
    const session = sessions.atHand(cached.session);
    metrics.lookup("session", session !== undefined);
    if (
      session === undefined ||
      !isLoggedIn(session) ||
      session.lastAccount !== cached.account ||
      mustReadAgain(cached, isConnected(session))
    )
      return undefined;
    const reply = mediaReply(request, cached.file);
    if (reply.kind === "whole") return reply.response;
    const { status, headers, start, end } = reply;
    const chunk = chunkOf(start);
    if (chunk !== chunkOf(end)) return undefined;
    const release = inFlight.tryTake({ id: cached.session, tenant: session.tenant });
    if (release === undefined) return undefined;
    const borrowed = loader.atHand(cached.file.description, chunk);
    const paid = borrowed === undefined ? "short" : bytes.tryPay(session.tenant, end - start + 1);
    if (borrowed === undefined || paid === "short") {
      borrowed?.done();
      release();
      return undefined;
    }
    const head = { status, headers, prepared: cached.file.prepared };
    if (paid === "free") return bytesResponse(head, borrowed, { start, end }, release);
    return bytesResponse(head, borrowed, { start, end }, (taken) => {
      release();
      bytes.refund(session.tenant, end - start + 1 - taken);
    });
  };
}
