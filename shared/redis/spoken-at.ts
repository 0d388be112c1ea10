import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { HostPort, RedisTls } from "./address.js";
import type { Spoken } from "./connect-trouble.js";

const answerMs = 1_500;
/** Of a server that answered a moment ago. */
const refusalMs = 500;

/** What a port speaks: asked only when a start has failed, to tell why. Undefined when it says neither. */
export async function spokenAt(server: HostPort): Promise<Spoken | undefined> {
  if (await saysYes(connect({ ...server }), "connect", (socket) => answersPing(socket))) return "plain";
  // Nothing is sent: whoever answers need not be who it should be.
  return (await saysYes(connectTls({ ...server, rejectUnauthorized: false }), "secureConnect", () => Promise.resolve(true)))
    ? "tls"
    : undefined;
}

/** Why a server ends an encrypted connection before anything is asked on it, such as for our certificate; undefined when it does not. Never rejects. */
export function encryptedRefusal(server: HostPort, tls: RedisTls): Promise<Error | undefined> {
  return new Promise((resolve) => {
    // Who writes meanwhile hears of a broken connection instead of why it was broken.
    const socket = connectTls({ ...server, ...tls, rejectUnauthorized: false });
    const end = (error?: Error): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(error);
    };
    const late = setTimeout(() => end(), refusalMs);
    socket.once("error", end);
    socket.once("close", () => end());
    socket.resume();
  });
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

/** A Redis without TLS answers with a line, even if only to ask for a password. */
function answersPing(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("data", (data: Buffer) => resolve(/^[+-]/.test(data.toString("latin1"))));
    socket.write("PING\r\n");
  });
}
