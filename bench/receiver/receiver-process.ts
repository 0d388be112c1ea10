import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import typia from "typia";
import { serveParent } from "../child.js";
import type { ReceiverMessage } from "./receiver.js";

const isMessage = typia.createAssert<ReceiverMessage>();
const ids = new Set<string>();
let requests = 0;

serveParent(async (message) => {
  if (isMessage(message).kind === "count") return { requests, events: ids.size };
  const server = createServer((request, response) => {
    requests += 1;
    const id = request.headers["webhook-id"];
    if (typeof id === "string") ids.add(id);
    request.resume();
    request.on("end", () => response.writeHead(200).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port };
});
