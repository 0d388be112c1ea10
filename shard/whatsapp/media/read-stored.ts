import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get, type Agent } from "node:https";
import type { FileFacts } from "../../../shared/media/file-facts.js";
import type { Client } from "../client.js";
import type { StoredRange } from "./file-cipher.js";
import { HostRefused } from "./host-refused.js";

/** No media host could be reached, or each broke the connection. */
export class HostsUnreachable extends Error {
  override readonly name = "HostsUnreachable";
}

/**
 * Reads a range of a stored file from the first media host that has it, over the session's own route. The result is shorter if the file
 * ends earlier. Rejects with `HostRefused` of the last host, with `HostsUnreachable`, or like the platform.
 */
export async function readStored(
  { mediaHosts, rangeAgent }: Pick<Client, "mediaHosts" | "rangeAgent">,
  facts: FileFacts,
  range: StoredRange,
  signal: AbortSignal,
): Promise<Buffer> {
  const { hosts } = await mediaHosts.find();
  let reason: unknown;
  for (const { hostname } of hosts) {
    try {
      return await readFrom(urlOn(hostname, facts), rangeAgent, range, signal);
    } catch (error) {
      signal.throwIfAborted();
      reason = error;
    }
  }
  throw reason instanceof HostRefused ? reason : new HostsUnreachable("media hosts cannot be reached", { cause: reason });
}

/** A media host that sends nothing for this long has failed. */
const idleMs = 10_000;

/** The hash and type are the ones that WhatsApp Web sends. The path brings its own permission in its query. */
function urlOn(hostname: string, { directPath, encryptedHash, plainHash, kind, mediaKey }: FileFacts): URL {
  const hash = (mediaKey.length === 0 ? plainHash : encryptedHash).toString("base64url");
  const type = kind === "sticker" ? "image" : kind;
  const joint = directPath.includes("?") ? "&" : "?";
  return new URL(`https://${hostname}${directPath}${joint}hash=${hash}&mms-type=${type}&__wa-mms=`);
}

async function readFrom(url: URL, agent: Agent, range: StoredRange, signal: AbortSignal): Promise<Buffer> {
  const headers = { range: `bytes=${range.from}-${range.to - 1}`, origin: "https://web.whatsapp.com" };
  for (;;) {
    signal.throwIfAborted();
    const request = get(url, { agent, signal, headers });
    // An aborted request emits a second error after `once` has stopped listening, which would end the process.
    request.on("error", () => undefined);
    // The option `timeout` has no effect on a new connection, because the agent has the same one.
    request.setTimeout(idleMs, () => request.destroy(new Error("media host is silent")));
    let response: IncomingMessage | undefined;
    try {
      [response] = (await once(request, "response", { signal })) as [IncomingMessage];
      return await collect(response, range);
    } catch (error) {
      request.destroy();
      // The host closed a kept connection just as the request went out. Each try uses up one of these few connections.
      if (!request.reusedSocket || response !== undefined || !isReset(error)) throw error;
    }
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** A host that ignores the range sends the file from its start. */
async function collect(response: IncomingMessage, { from, to }: StoredRange): Promise<Buffer> {
  const { statusCode: status = 0 } = response;
  if (status !== 200 && status !== 206) throw new HostRefused(status, retrySeconds(response));
  let skip = status === 200 ? from : 0;
  const parts: Buffer[] = [];
  let missing = to - from;
  // Read to its end, the response leaves its connection to the next range.
  for await (const part of response) {
    if (missing === 0) break;
    const bytes = (part as Buffer).subarray(Math.min(skip, (part as Buffer).length));
    skip -= (part as Buffer).length - bytes.length;
    parts.push(bytes.subarray(0, missing));
    missing -= Math.min(missing, bytes.length);
  }
  return Buffer.concat(parts);
}

function retrySeconds({ headers }: IncomingMessage): number | undefined {
  const seconds = Number(headers["retry-after"]);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 3_600) : undefined;
}
