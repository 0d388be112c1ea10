import type { Socket } from "node:net";
import { startHangingServer, type HangingServer } from "./hanging-server.js";

/** Starts a server whose responses begin at once, continue byte by byte, and never end. */
export function startTricklingServer(): Promise<HangingServer> {
  return startHangingServer((socket: Socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(timer));
    });
  });
}
