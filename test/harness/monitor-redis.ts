import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";

/**
 * Tells each command that a Redis on a socket runs, until it is closed or the Redis ends; `lua` is the source of a script's own. On a socket of our own: the client
 * library takes a command for the answer to one of its own where it comes along with the answer to MONITOR, as it does on a busy machine.
 */
export async function monitorRedis(socketPath: string, onCommand: (words: readonly string[], source: string) => void): Promise<() => void> {
  const socket = connect(socketPath);
  socket.on("error", () => undefined);
  const lines = createInterface({ input: socket });
  const monitoring = once(lines, "line");
  lines.on("line", (line) => {
    const [, source, words] = /^\+[\d.]+ \[\d+ ([^\]]+)\] "(.*)"$/.exec(line) ?? [];
    if (source !== undefined && words !== undefined) onCommand(words.split('" "'), source);
  });
  socket.write("MONITOR\r\n");
  await monitoring;
  return () => socket.destroy();
}
