import { Worker } from "node:worker_threads";
import type { DecryptAnswer, DecryptTask } from "./decrypt-thread.js";
import { type Decryptor, openMessage, type SealedMessage } from "./message-decryption.js";

export interface DecryptThreadsOptions {
  /** Threads at most; they start when they are needed. */
  readonly threads: number;
  /** Without work for so long, a thread ends. */
  readonly idleMs: number;
  /** A message that takes longer has failed, and its thread with it. */
  readonly taskMs: number;
  readonly onDecrypted: (seconds: number) => void;
  /** The compiled `decrypt-thread`. */
  readonly entry?: URL;
}

export const decryptThreadTimes = { idleMs: 60_000, taskMs: 10_000 } as const;

/**
 * Decrypts on a few threads beside the event loop, so that a download delays no message. What waits is bounded by those who ask: a connection hands in one
 * message at a time. When a thread ends, its messages fail and their connections with them; the next message starts another. Where threads cannot begin,
 * messages are decrypted where they are asked for.
 */
export class DecryptThreads implements Decryptor {
  private readonly threads = new Set<Thread>();
  private impossible = false;

  constructor(private readonly options: DecryptThreadsOptions) {}

  decrypt(message: SealedMessage): Promise<Buffer | undefined> {
    if (this.impossible) return Promise.resolve(openMessage(message));
    let best: Thread | undefined;
    for (const thread of this.threads) if (best === undefined || thread.load < best.load) best = thread;
    if (best === undefined || (best.load > 0 && this.threads.size < this.options.threads)) best = this.start();
    return best.decrypt(message);
  }

  /** Ends the threads; what they work on fails. */
  async stop(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  private start(): Thread {
    const thread: Thread = new Thread(this.options, () => {
      this.threads.delete(thread);
      this.impossible ||= thread.neverBegan;
    });
    this.threads.add(thread);
    return thread;
  }
}

interface Waiting {
  readonly resolve: (plainText: Buffer | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

class Thread {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private idle: NodeJS.Timeout | undefined;
  private nextId = 1;
  private began = false;
  private ended = false;

  constructor(
    private readonly options: DecryptThreadsOptions,
    private readonly onEnd: () => void,
  ) {
    // Its own heap stays tiny, so collecting the garbage of large buffers costs it nothing.
    this.worker = new Worker(options.entry ?? new URL("./decrypt-thread.js", import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 64 } });
    this.worker.unref();
    this.worker.on("message", (answer: DecryptAnswer) => this.take(answer));
    this.worker.on("error", (error) => this.fail(error));
    this.worker.on("exit", () => this.fail(new Error("decryption thread has ended")));
  }

  /** It ended by itself before it had decrypted anything. */
  get neverBegan(): boolean {
    return !this.began && !this.ended;
  }

  get load(): number {
    return this.waiting.size;
  }

  decrypt({ cipherText, key, iv, salt, messageKey }: SealedMessage): Promise<Buffer | undefined> {
    clearTimeout(this.idle);
    const id = this.nextId++;
    const task: DecryptTask = { id, cipherText, key, iv, salt, messageKey };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.end(), this.options.taskMs);
      this.waiting.set(id, { resolve, reject, timer });
      this.worker.postMessage(task, ownMemoryOf(cipherText));
    });
  }

  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.idle);
    this.onEnd();
    await this.worker.terminate();
  }

  private take({ id, plainText, seconds }: DecryptAnswer): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    this.began = true;
    this.options.onDecrypted(seconds);
    waiting.resolve(plainText && Buffer.from(plainText.buffer, plainText.byteOffset, plainText.byteLength));
    if (this.waiting.size === 0) this.idle = setTimeout(() => void this.end(), this.options.idleMs).unref();
  }

  private fail(error: Error): void {
    this.onEnd();
    clearTimeout(this.idle);
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.waiting.clear();
  }
}

/** Memory that holds nothing but this message can be given to the thread; anything else is copied. */
function ownMemoryOf({ buffer, byteLength }: Buffer): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= headMaxBytes ? [buffer] : [];
}

/** Head and tail of a packet. */
const headMaxBytes = 64;
