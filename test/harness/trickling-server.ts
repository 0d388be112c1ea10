import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TricklingServer {
  readonly url: string;
  /** Connections that are open. */
  readonly open: () => number;
  stop(): Promise<void>;
}

/** Whose answers begin at once, go on byte by byte, and never end. */
export async function startTricklingServer(): Promise<TricklingServer> {
  let open = 0;
  const server = createServer((_, response) => {
    const timer = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(timer));
  });
  server.on("connection", (socket) => {
    open += 1;
    socket.on("close", () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    open: () => open,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
