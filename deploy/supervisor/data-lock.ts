import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { alreadyRunning, readRunning, ourselves } from "./running-supervisor.js";
import { isListening, socketPath } from "./unix-socket.js";

export function lockPath(dataDir: string): string {
  return socketPath(dataDir, "supervisor.sock");
}

/**
 * Allows one supervisor per data folder: two would start members with the same names. The lock is a listening unix socket, which the
 * kernel releases however the process ends; a process id in a file could be stale.
 */
export class DataLock {
  private readonly path: string;
  private readonly self = ourselves();
  /** Replies to every connection with the facts of the running supervisor. */
  private readonly server: Server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(JSON.stringify(this.self), () => socket.destroy());
  });

  constructor(private readonly dataDir: string) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    this.path = lockPath(dataDir);
  }

  async start(): Promise<void> {
    if (await isListening(this.path)) throw new Error(alreadyRunning(this.dataDir, await readRunning(this.path), this.self));
    rmSync(this.path, { force: true });
    this.server.listen(this.path);
    await once(this.server, "listening");
    this.server.unref();
  }

  /** Closes the socket, which also removes its file. */
  stop(): void {
    if (this.server.listening) this.server.close();
  }
}
