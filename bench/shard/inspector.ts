import { once } from "node:events";
import { WebSocket } from "ws";
import { eventually } from "../../test/harness/eventually.js";

/** A CPU profile has one entry per millisecond, so its message is large. */
const maxMessageBytes = 512 * 1024 * 1024;

/** Node's inspector of a running process, which needs no preparation. Must be closed. */
export class Inspector {
  private nextId = 1;
  private readonly waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();

  private constructor(
    private readonly socket: WebSocket,
    private readonly origin: string,
  ) {
    socket.on("message", (data: Buffer) =>
      this.receive(JSON.parse(data.toString("utf8")) as { id?: number; result?: unknown; error?: { message: string } }),
    );
    socket.on("close", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the process that is inspected is gone"));
    });
  }

  /** SIGUSR1 makes a Node process listen; `port` is its `--inspect-port`. */
  static async open(pid: number, port: number): Promise<Inspector> {
    process.kill(pid, "SIGUSR1");
    const origin = `http://127.0.0.1:${port}`;
    const address = await eventually("the inspector", async () => {
      const [target] = (await (await fetch(`${origin}/json/list`)).json()) as { webSocketDebuggerUrl?: string }[];
      return target?.webSocketDebuggerUrl;
    });
    const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: maxMessageBytes });
    await once(socket, "open");
    return new Inspector(socket, origin);
  }

  /** Makes a call of the DevTools protocol; `ms` bounds the wait. */
  async call(method: string, params: object = {}, ms = 60_000): Promise<unknown> {
    const id = this.nextId++;
    let timer: NodeJS.Timeout | undefined;
    const response = new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      timer = setTimeout(() => reject(new Error(`${method} took longer than ${ms} ms`)), ms);
    });
    this.socket.send(JSON.stringify({ id, method, params }));
    try {
      return await response;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  /** Resolves when the process no longer listens, so that the next process can use the port. */
  async release(): Promise<void> {
    await this.call("Runtime.evaluate", { expression: "setTimeout(() => process._debugEnd(), 20)" });
    this.close();
    await eventually("the end of the inspector", () =>
      fetch(`${this.origin}/json/version`).then(
        () => false,
        () => true,
      ),
    );
  }

  close(): void {
    this.socket.terminate();
  }

  private receive({ id, result, error }: { id?: number; result?: unknown; error?: { message: string } }): void {
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}
