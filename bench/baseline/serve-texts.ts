import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import typia from "typia";

/** A text of the client with this index. `to` is a phone number in digits. */
export interface OrderedText {
  readonly from: number;
  readonly to: string;
  readonly text: string;
}

/**
 * Serves `POST /` with a text in JSON, as a small gateway in one process would: no login, no record, no limits. Responds with 200
 * when the platform has accepted the text. Resolves with the port.
 */
export async function serveTexts(send: (text: OrderedText) => Promise<void>): Promise<number> {
  const server = createServer((request, response) => {
    bodyOf(request)
      .then((body) => send(isText(JSON.parse(body))))
      .then(
        () => response.writeHead(200, { "content-type": "application/json" }).end("{}"),
        (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // A TCP server's address is an object.
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += String(part);
  return body;
}

const isText = typia.createAssert<OrderedText>();
