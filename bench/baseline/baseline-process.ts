import { STATUS_CODES } from "node:http";
import typia from "typia";
import type { HttpResponse } from "uWebSockets.js";
// Imports the engine itself, because a baseline of the product's wrapper must not use the wrapper.
import { engine } from "../../router/http/engine.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { chunkBytes } from "../../shared/limits.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { serveParent } from "../child.js";
import type { BaselineResponse, BaselineMessage } from "./baseline-response.js";

/** A bare HTTP server on the same engine: no routes, authentication, limits or metrics. It sends the same buffer each time. */
serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "start") return { port: await listen(order.response) };
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6 };
});

const isMessage = typia.createAssert<BaselineMessage>();

async function listen(reply: BaselineResponse): Promise<number> {
  const read = reply.reads === undefined ? undefined : await sessionRead(reply.reads);
  const chunkOf = reply.values === undefined ? undefined : await chunkRead(reply, reply.values);
  const app = engine.App();
  engine._cfg?.("999999990007"); // Omits the header with the engine's name, as the product does.
  app.any("/*", (response, request) => {
    if (reply.ranged === true) return send(response, rangeOf(reply, request.getHeader("range")));
    const made = chunkOf?.(request.getHeader("range")) ?? read?.().then(() => reply);
    if (made === undefined) return send(response, reply);
    let aborted = false;
    response.onAborted(() => (aborted = true));
    void made.then((later) => {
      if (!aborted) send(response, later);
    });
  });
  return await new Promise((resolve, reject) => {
    app.listen("127.0.0.1", 0, (socket) =>
      socket === false ? reject(new Error("cannot listen")) : resolve(engine.us_socket_local_port(socket)),
    );
  });
}

/** Only accepts `bytes=<from>-<to>`, because the load sends no other form. */
function rangeOf(response: BaselineResponse, range: string): BaselineResponse {
  const [from = 0, to = 0] = range.slice("bytes=".length).split("-").map(Number);
  return {
    ...response,
    headers: { ...response.headers, "content-range": `bytes ${from}-${to}/${response.body.length}` },
    body: response.body.subarray(from, to + 1),
  };
}

/** Returns a function that reads the chunk of a range with one command, over a connection like the router's. */
async function chunkRead(
  response: BaselineResponse,
  { redisUrl, keyPrefix, fileBytes }: NonNullable<BaselineResponse["values"]>,
): Promise<(range: string) => Promise<BaselineResponse>> {
  const redis = await connectRedis(redisUrl, "writer", silentLog);
  return async (range) => {
    const [from = 0, to = 0] = range.slice("bytes=".length).split("-").map(Number);
    const body = await redis.getBuffer(`${keyPrefix}${from / chunkBytes}`);
    if (body === null) throw new Error("no such chunk");
    return { ...response, headers: { ...response.headers, "content-range": `bytes ${from}-${to}/${fileBytes}` }, body };
  };
}

/** Sends with the engine's method for bodies larger than a socket's buffer: it copies nothing, and sends the rest when there is room. */
function send(response: HttpResponse, { status, headers, body }: BaselineResponse): void {
  response.onAborted(() => undefined);
  response.onWritable((offset) => response.tryEnd(body.subarray(offset), body.length)[0]);
  response.cork(() => {
    response.writeStatus(`${status} ${STATUS_CODES[status] ?? ""}`);
    for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value);
    response.tryEnd(body, body.length);
  });
}

/** Returns a function that sends the same command as the router's session reader, over a connection like the router's. */
async function sessionRead({ redisUrl, session }: NonNullable<BaselineResponse["reads"]>): Promise<() => Promise<unknown>> {
  if (!isSessionId(session)) throw new Error("not a session id");
  const redis = await connectRedis(redisUrl, "writer", silentLog);
  return () =>
    redis.hmgetBuffer(keys.session(session), "platform", "secretHash", "tok", "wh", "tenant", "dk", "state", "account", "unreadable");
}
