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
import type { BaselineAnswer, BaselineMessage } from "./baseline-answer.js";

/** A bare HTTP server on the same engine: no routes, authentication, limits or metrics. It sends the same buffer each time. */
serveParent(async (message) => {
  const told = isMessage(message);
  if (told.kind === "start") return { port: await listen(told.answer) };
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6 };
});

const isMessage = typia.createAssert<BaselineMessage>();

async function listen(answer: BaselineAnswer): Promise<number> {
  const read = answer.reads === undefined ? undefined : await sessionRead(answer.reads);
  const chunkOf = answer.values === undefined ? undefined : await chunkRead(answer, answer.values);
  const app = engine.App();
  engine._cfg?.("999999990007"); // Omits the header with the engine's name, as the product does.
  app.any("/*", (response, request) => {
    if (answer.ranged === true) return send(response, rangeOf(answer, request.getHeader("range")));
    const made = chunkOf?.(request.getHeader("range")) ?? read?.().then(() => answer);
    if (made === undefined) return send(response, answer);
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
function rangeOf(answer: BaselineAnswer, range: string): BaselineAnswer {
  const [from = 0, to = 0] = range.slice("bytes=".length).split("-").map(Number);
  return {
    ...answer,
    headers: { ...answer.headers, "content-range": `bytes ${from}-${to}/${answer.body.length}` },
    body: answer.body.subarray(from, to + 1),
  };
}

/** Returns a function that reads the chunk of a range with one command, over a connection like the router's. */
async function chunkRead(
  answer: BaselineAnswer,
  { redisUrl, keyPrefix, fileBytes }: NonNullable<BaselineAnswer["values"]>,
): Promise<(range: string) => Promise<BaselineAnswer>> {
  const redis = await connectRedis(redisUrl, "writer", silentLog);
  return async (range) => {
    const [from = 0, to = 0] = range.slice("bytes=".length).split("-").map(Number);
    const body = await redis.getBuffer(`${keyPrefix}${from / chunkBytes}`);
    if (body === null) throw new Error("no such chunk");
    return { ...answer, headers: { ...answer.headers, "content-range": `bytes ${from}-${to}/${fileBytes}` }, body };
  };
}

/** Sends with the engine's method for bodies larger than a socket's buffer: it copies nothing, and sends the rest when there is room. */
function send(response: HttpResponse, { status, headers, body }: BaselineAnswer): void {
  response.onAborted(() => undefined);
  response.onWritable((offset) => response.tryEnd(body.subarray(offset), body.length)[0]);
  response.cork(() => {
    response.writeStatus(`${status} ${STATUS_CODES[status] ?? ""}`);
    for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value);
    response.tryEnd(body, body.length);
  });
}

/** Returns a function that sends the same command as the router's session reader, over a connection like the router's. */
async function sessionRead({ redisUrl, session }: NonNullable<BaselineAnswer["reads"]>): Promise<() => Promise<unknown>> {
  if (!isSessionId(session)) throw new Error("not a session id");
  const redis = await connectRedis(redisUrl, "writer", silentLog);
  return () =>
    redis.hmgetBuffer(keys.session(session), "platform", "secretHash", "tok", "wh", "tenant", "dk", "state", "account", "unreadable");
}
