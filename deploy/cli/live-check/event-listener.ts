import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import typia from "typia";

/** Fields read from a webhook's body; nothing is stored. */
export interface ReceivedEvent {
  type: string;
  data: { id?: string; fromMe?: boolean; chat?: { id: string }; ids?: string[]; url?: string; size?: number };
}

const parseEvent = typia.json.createIsParse<ReceivedEvent>();
/** Path that identifies our own receiver. */
const path = "/live-check";
const mostEvents = 1_000;
const mostBytes = 1_048_576;

/** Runs a webhook receiver on this machine for the duration of one step. */
export async function listenForEvents(
  token: string,
): Promise<{ url: string; events: readonly ReceivedEvent[]; rejected: () => number; stop: () => void }> {
  const events: ReceivedEvent[] = [];
  let rejected = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= mostBytes) parts.push(part);
    });
    request.on("end", () => {
      const isOurs = timingSafeEqual(hashOf(String(request.headers["x-token"])), hashOf(token));
      const event = isOurs && size <= mostBytes ? parseEvent(Buffer.concat(parts).toString()) : null;
      if (!isOurs) rejected += 1;
      else if (event !== null && events.length < mostEvents) events.push(event);
      response.writeHead(isOurs ? 200 : 401).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${path}`, events, rejected: () => rejected, stop: () => server.close() };
}

/** Returns whether a webhook URL leads to such a receiver, which may be stopped. */
export function isListener(url: string): boolean {
  return /^http:\/\/127\.0\.0\.1:\d+\//.test(url) && url.endsWith(path);
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
