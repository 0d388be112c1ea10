import type { IncomingMessage } from "node:http";
import { ControlError } from "./control-error.js";

const maxBytes = 1024 * 1024;

/** Returns the JSON object of a request body of at most 1 MiB. An empty body is an empty object. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > maxBytes) throw new ControlError(413, "request entity too large");
    chunks.push(bytes);
  }
  if (size === 0) return {};
  const value = parse(Buffer.concat(chunks).toString("utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ControlError(400, "the body must be a JSON object");
  return Object.fromEntries(Object.entries(value));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError(400, "the body is not valid JSON");
  }
}
