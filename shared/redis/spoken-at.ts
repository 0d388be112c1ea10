import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { HostPort, RedisTls } from "./address.js";
import type { Spoken } from "./connect-trouble.js";

const responseTimeoutMs = 1_500;
/** Timeout for a server that responded a moment ago. */
const refusalMs = 500;

/** Returns the protocol of a port, to explain a failed start; undefined if it is neither. */
export async function spokenAt(server: HostPort): Promise<Spoken | undefined> {
  if (await saysYes(connect({ ...server }), "connect", (socket) => repliesToPing(socket))) return "plain";
  // Sends no data, because the server's identity is not verified.
  return (await saysYes(connectTls({ ...server, rejectUnauthorized: false }), "secureConnect", () => Promise.resolve(true)))
    ? "tls"
    : undefined;
}

/**
 * Returns why a server ends an encrypted connection at once, for example because of our certificate; undefined if it does not. Never
 * rejects.
 */
export function encryptedRefusal(server: HostPort, tls: RedisTls): Promise<Error | undefined> {
  return new Promise((resolve) => {
    // A write would fail with "broken connection" and hide the reason.
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

/** Resolves with false if the connection is not open and confirmed in time. Never rejects. */
function saysYes(socket: Socket, opened: "connect" | "secureConnect", probe: (socket: Socket) => Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (spoken: boolean): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(spoken);
    };
    const late = setTimeout(() => end(false), responseTimeoutMs);
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
    socket.once(opened, () => void probe(socket).then(end));
  });
}

/** A Redis without TLS replies with a line, even if only an error about the password. */
function repliesToPing(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("data", (data: Buffer) => resolve(/^[+-]/.test(data.toString("latin1"))));
    socket.write("PING\r\n");
  });
}
