import { PreparedHeaders, jsonHeaders, type ResponseHeaders, type JsonResponse } from "../http/response.js";
import type { StoredSession } from "../sessions/session-reader.js";

interface CachedResponse {
  readonly secret: string;
  readonly bytes: Uint8Array;
}

/** One text for all responses, because each header costs a call into the engine. */
const prepared = new PreparedHeaders(jsonHeaders);

/** Remembers response bytes of polled records per version of the record and secret, while an owner confirms the session. */
export class CachedResponses {
  private readonly responses = new WeakMap<StoredSession["version"], CachedResponse>();

  constructor(private readonly reply: (session: StoredSession, secret: string) => string) {}

  of(session: StoredSession, secret: string, headers: ResponseHeaders): JsonResponse {
    const cached = isSteady(session) ? this.responses.get(session.version) : undefined;
    const bytes = cached?.secret === secret ? cached.bytes : this.make(session, secret);
    return { kind: "json", status: 200, headers, prepared, text: "", coded: bytes };
  }

  private make(session: StoredSession, secret: string): Uint8Array {
    const bytes = Buffer.from(this.reply(session, secret));
    if (isSteady(session)) this.responses.set(session.version, { secret, bytes });
    return bytes;
  }
}

/** Returns true if the record alone determines the response: an owner confirms the session, and no QR code is pending. */
function isSteady({ active, responsive, state }: StoredSession): boolean {
  return active && responsive && state.kind !== "awaiting-qr";
}
