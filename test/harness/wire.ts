import { once } from "node:events";
import { request, type Agent, type IncomingMessage } from "node:http";

/** An answer as it stood on the wire: nothing followed, decoded or merged. */
export interface WireAnswer {
  readonly status: number;
  /** Lower-case names; a value for each line. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
  /** False when the connection ended before the announced length, or was left at `takeBytes`. */
  readonly whole: boolean;
}

export interface WireRequest {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  /** A list stands on a line for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly agent?: Agent;
  /** Leaves after so many bytes of the body. */
  readonly takeBytes?: number;
}

/** Asks for a path exactly as it is written: `fetch` would tidy dots, slashes and headers. Rejects when no answer begins within a minute. */
export async function ask(
  base: string,
  path: string,
  { method = "GET", headers = {}, agent, takeBytes = Infinity }: WireRequest = {},
): Promise<WireAnswer> {
  const { hostname, port } = new URL(base);
  const lines = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]));
  const call = request({ host: hostname, port, path, method, headers: lines, agent: agent ?? false, timeout: 60_000 });
  call.on("timeout", () => call.destroy(new Error("no answer within a minute")));
  call.end();
  const [answer] = (await once(call, "response")) as [IncomingMessage];
  const parts: Buffer[] = [];
  let taken = 0;
  let cut = false;
  try {
    for await (const part of answer) {
      parts.push(part as Buffer);
      taken += (part as Buffer).length;
      if (taken < takeBytes) continue;
      cut = true;
      break; // Leaving the loop destroys the connection.
    }
  } catch {
    cut = true; // The connection ended early: `whole` says so.
  }
  return {
    status: answer.statusCode ?? 0,
    headers: linesOf(answer),
    body: Buffer.concat(parts).subarray(0, takeBytes),
    whole: answer.complete && !cut,
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
