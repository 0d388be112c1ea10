import { connect } from "node:net";

/**
 * One command over a connection of its own, for a Redis that is not up yet or is to go down, where a client library would only retry. Resolves with the reply
 * as text (simple string, integer or bulk string; an error reply with its leading `-`), or undefined when nobody answers within `timeoutMs`.
 */
export function callRedis(socketPath: string, command: readonly string[], timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    let received = "";
    const end = (reply: string | undefined): void => {
      socket.destroy();
      resolve(reply);
    };
    socket.setEncoding("latin1");
    socket.setTimeout(timeoutMs, () => end(undefined));
    socket.once("error", () => end(undefined));
    socket.once("close", () => end(undefined));
    socket.on("data", (text: string) => {
      received += text;
      const reply = parseReply(received);
      if (reply !== undefined) end(reply);
    });
    socket.write(`*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`);
  });
}

/** RESP2, the types that PING, INFO and SHUTDOWN answer with; undefined while the reply is incomplete. */
function parseReply(received: string): string | undefined {
  const lineEnd = received.indexOf("\r\n");
  if (lineEnd < 0) return undefined;
  const line = received.slice(1, lineEnd);
  if (!received.startsWith("$")) return received.startsWith("-") ? `-${line}` : line;
  const bodyEnd = lineEnd + 2 + Number(line);
  return received.length < bodyEnd + 2 ? undefined : received.slice(lineEnd + 2, bodyEnd);
}
