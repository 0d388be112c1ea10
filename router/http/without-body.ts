import type { HttpResponse } from "./response.js";

type EmptyResponse = Extract<HttpResponse, { kind: "empty" }>;

/** Returns the same head without the body, and releases the body. */
export function withoutBody(response: Exclude<HttpResponse, { kind: "json" | "empty" }>): EmptyResponse {
  discard(response);
  const { status, headers } = response;
  if (response.kind === "open-ended") return { kind: "empty", status, headers };
  const length = response.kind === "bytes" ? response.bytes.length : response.length;
  return { kind: "empty", status, headers, length, ...(response.prepared === undefined ? {} : { prepared: response.prepared }) };
}

/** Releases what an unsent response holds. */
export function discard(response: HttpResponse): void {
  if (response.kind === "bytes") response.onEnd?.(0);
  if (response.kind === "stream" || response.kind === "open-ended") response.body.return?.(undefined).catch(() => {}); // A failure of the ended body does not matter.
}
