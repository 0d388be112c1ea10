import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { alreadyRunning, askRunning, ourselves } from "./running-supervisor.js";
import { isListening, socketPath } from "./unix-socket.js";

export function lockPath(dataDir: string): string {
  return socketPath(dataDir, "supervisor.sock");
}

/**
 * One supervisor per data folder: two would start members of the same names on the same Redis. The lock is a listening unix socket, because the kernel
 * lets go of it however the process ends; a file with a process id would have to be believed.
 */
export class DataLock {
  private readonly path: string;
  private readonly self = ourselves();
  /** Whoever comes is told who is here. */
  private readonly server: Server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(JSON.stringify(this.self), () => socket.destroy());
  });

  constructor(private readonly dataDir: string) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    this.path = lockPath(dataDir);
  }

  async start(): Promise<void> {
    if (await isListening(this.path)) throw new Error(alreadyRunning(this.dataDir, await askRunning(this.path), this.self));
    rmSync(this.path, { force: true });
    this.server.listen(this.path);
    await once(this.server, "listening");
    this.server.unref();
  }

  /** Closing removes the socket's file. */
  stop(): void {
    if (this.server.listening) this.server.close();
  }
}
