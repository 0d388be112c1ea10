import { Worker } from "node:worker_threads";
import { ImageError } from "../media/image-error.js";

/** The messages to the thread and back: the picture, or why there is none. */
export interface CodeRequest {
  readonly id: number;
  readonly text: string;
}
export type CodeReply = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly reason: string });

interface Pending {
  readonly resolve: (png: Buffer) => void;
  readonly reject: (error: ImageError) => void;
  readonly timer: NodeJS.Timeout;
}

// The largest code takes 50 ms. A thread starts within a second on a loaded machine.
const deadlineMs = 10_000;

/**
 * Draws QR codes in a thread of the shard, so that no login waits for other pictures. The thread decodes nothing, so it needs no process
 * of its own. It starts with the first code, and again after it ended.
 */
export class CodeThread {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;

  /** `entry` is the compiled code-worker. */
  constructor(private readonly entry: URL) {}

  /** Rejects with ImageError. */
  draw(text: string): Promise<Buffer> {
    const worker = (this.worker ??= this.start());
    const id = this.nextId++;
    return new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.take(id)?.reject(new ImageError("timeout"));
        void worker.terminate();
      }, deadlineMs);
      this.pending.set(id, { resolve, reject, timer });
      const request: CodeRequest = { id, text };
      worker.postMessage(request);
    });
  }

  async stop(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.entry, { resourceLimits: { maxOldGenerationSizeMb: 64 }, execArgv: [], env: {} });
    worker.unref();
    worker.on("message", (reply: CodeReply) => {
      const pending = this.take(reply.id);
      if ("png" in reply) pending?.resolve(Buffer.from(reply.png.buffer, reply.png.byteOffset, reply.png.byteLength));
      else pending?.reject(new ImageError("worker exited", reply.reason));
    });
    worker.once("error", (error) => this.ended(worker, error));
    worker.once("exit", () => this.ended(worker));
    return worker;
  }

  private ended(worker: Worker, cause?: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    for (const id of [...this.pending.keys()]) this.take(id)?.reject(new ImageError("worker exited", cause));
  }

  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }
}
