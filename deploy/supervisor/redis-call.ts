import { connect } from "node:net";
import { encodeCommand } from "../../shared/redis/resp/encode.js";
import { ReplyReader } from "../../shared/redis/resp/reply-reader.js";

/**
 * Sends one command on its own connection, to a Redis that is starting or stopping. Resolves with the reply as text (an error with its
 * leading `-`), or undefined without a reply within `timeoutMs`.
 */
export function callRedis(socketPath: string, command: readonly string[], timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let reply: Buffer | string | undefined;
    const end = (text: string | undefined): void => {
      socket.destroy();
      resolve(text);
    };
    const replies = new ReplyReader(() => ({
      text: (length) => (reply = Buffer.alloc(length)),
      scalar: (value) => (reply = value instanceof Error ? `-${value.message}` : value),
      end: () => end(reply?.toString("latin1")),
    }));
    const socket = connect({
      path: socketPath,
      onread: {
        buffer: () => replies.space(),
        callback: (length) => {
          try {
            replies.wrote(length);
          } catch {
            end(undefined); // The server is not a Redis.
          }
          return true;
        },
      },
    });
    socket.setTimeout(timeoutMs, () => end(undefined));
    socket.once("error", () => end(undefined));
    socket.once("close", () => end(undefined));
    socket.write(encodeCommand(command));
  });
}
