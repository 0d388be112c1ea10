import { once } from "node:events";
import { request, type Agent, type IncomingMessage } from "node:http";

/** A response as received: redirects not followed, nothing decoded or merged. */
export interface WireResponse {
  readonly status: number;
  /** Values by lower-case name, one per header line. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
  /** False if the connection ended before the announced length, or was closed at `takeBytes`. */
  readonly whole: boolean;
}

export interface WireRequest {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A list is sent as one line per value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly agent?: Agent;
  /** Number of body bytes after which the client disconnects. */
  readonly takeBytes?: number;
}

/** Requests a path exactly as written: `fetch` would normalize dots, slashes and headers. Rejects if no response begins within a minute. */
export async function callWire(
  base: string,
  path: string,
  { method = "GET", headers = {}, agent, takeBytes = Infinity }: WireRequest = {},
): Promise<WireResponse> {
  const { hostname, port } = new URL(base);
  const lines = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]));
  const call = request({ host: hostname, port, path, method, headers: lines, agent: agent ?? false, timeout: 60_000 });
  call.on("timeout", () => call.destroy(new Error("no answer within a minute")));
  call.end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const parts: Buffer[] = [];
  let taken = 0;
  let cut = false;
  try {
    for await (const part of response) {
      parts.push(part as Buffer);
      taken += (part as Buffer).length;
      if (taken < takeBytes) continue;
      cut = true;
      break; // Leaving the loop destroys the connection.
    }
  } catch {
    cut = true; // The connection ended early, so `whole` is false.
  }
  return {
    status: response.statusCode ?? 0,
    headers: linesOf(response),
    body: Buffer.concat(parts).subarray(0, takeBytes),
    whole: response.complete && !cut,
  };
}

function linesOf({ rawHeaders }: IncomingMessage): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[at + 1] ?? ""]);
  }
  return headers;
}
