import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { HostPort } from "./address.js";
import type { Spoken } from "./connect-trouble.js";

const answerMs = 1_500;

/** What a port speaks: asked only when a start has failed, to tell why. Undefined when it says neither. */
export async function spokenAt(server: HostPort): Promise<Spoken | undefined> {
  if (await saysYes(connect({ ...server }), "connect", (socket) => answersPing(socket))) return "plain";
  // Nothing is sent: whoever answers need not be who it should be.
  return (await saysYes(connectTls({ ...server, rejectUnauthorized: false }), "secureConnect", () => Promise.resolve(true)))
    ? "tls"
    : undefined;
}

/** False when it does not come to that in time. Never rejects. */
function saysYes(socket: Socket, opened: "connect" | "secureConnect", ask: (socket: Socket) => Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answer: boolean): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(false), answerMs);
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
    socket.once(opened, () => void ask(socket).then(end));
  });
}

/** A Redis without TLS answers with a line, be it that it wants a password. */
function answersPing(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("data", (data: Buffer) => resolve(/^[+-]/.test(data.toString("latin1"))));
    socket.write("PING\r\n");
  });
}
