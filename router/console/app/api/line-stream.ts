import { ApiFailure } from "./failure.js";
import { open, type CallOptions } from "./call.js";
import { LineSplitter } from "./line-splitter.js";

/** Yields the JSON values of a response with one value per line, as they arrive. Throws if the last line is an error. */
export async function* lines<T extends object>(route: `${"GET" | "POST"} /${string}`, options: CallOptions): AsyncGenerator<T> {
  const answer = await open(route, { ...options, headers: { accept: "application/x-ndjson" } });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const splitter = new LineSplitter();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || value === undefined) return;
      for (const line of splitter.push(value)) yield rowIn(JSON.parse(line) as T);
    }
  } finally {
    // Whoever has enough leaves, and the gateway reads no more.
    await reader?.cancel().catch(() => undefined);
  }
}

function rowIn<T extends object>(row: T): T {
  const { statusCode, message }: { statusCode?: unknown; message?: unknown } = row;
  if (typeof statusCode === "number")
    throw new ApiFailure(statusCode, typeof message === "string" ? message : "The connection was interrupted. Try again.");
  return row;
}
