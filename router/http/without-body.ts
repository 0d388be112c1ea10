import type { HttpResponse } from "./response.js";

type EmptyAnswer = Extract<HttpResponse, { kind: "empty" }>;

/** Returns the same head without the body, and releases the body. */
export function withoutBody(answer: Exclude<HttpResponse, { kind: "json" | "empty" }>): EmptyAnswer {
  discard(answer);
  const { status, headers } = answer;
  if (answer.kind === "open-ended") return { kind: "empty", status, headers };
  const length = answer.kind === "bytes" ? answer.bytes.length : answer.length;
  return { kind: "empty", status, headers, length, ...(answer.prepared === undefined ? {} : { prepared: answer.prepared }) };
}

/** Releases what an unsent response holds. */
export function discard(answer: HttpResponse): void {
  if (answer.kind === "bytes") answer.onEnd?.(0);
  if (answer.kind === "stream" || answer.kind === "open-ended") answer.body.return?.(undefined).catch(() => {}); // A failure of the ended body does not matter.
}
