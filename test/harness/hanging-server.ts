import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** Server that accepts every connection and never responds. */
export interface HangingServer {
  /** `host:port`, for `DOWNLOAD_ALLOW`. */
  readonly host: string;
  readonly url: string;
  /** Number of open connections. */
  readonly open: number;
  stop(): Promise<void>;
}

/** `hold` handles each accepted connection. */
export async function startHangingServer(hold: (socket: Socket) => void = () => undefined): Promise<HangingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    hold(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/never.pdf`,
    get open() {
      return sockets.size;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}
