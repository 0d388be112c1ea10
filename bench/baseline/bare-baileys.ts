import typia from "typia";
import { Child } from "../child.js";

export type BareMessage =
  /** `rootKey` is in base64. `credentials` are in the form that the platform's adapter stores, one entry for each client. */
  | { readonly kind: "start"; readonly url: string; readonly rootKey: string; readonly credentials: readonly string[] }
  /** Client `i` sends to `recipients[i]` (JIDs) one after the other, in a cycle. */
  | { readonly kind: "run"; readonly seconds: number; readonly recipients: readonly (readonly string[])[] }
  /** Serves texts of the clients over HTTP (`serve-texts.ts`), and replies with the port. */
  | { readonly kind: "serve" }
  /** Requests what the process has used and received since its start. */
  | { readonly kind: "usage" };

export interface BareUsage {
  readonly cpuSeconds: number;
  /** Messages from other people. */
  readonly received: number;
}

export interface BareResult {
  readonly sends: number;
  readonly elapsedSeconds: number;
  readonly cpuSeconds: number;
}

/** The bare library in a process of its own: the same sockets and messages without router, streams, Redis or fences. Keys are in memory. */
export class BareBaileys {
  private constructor(private readonly child: Child<BareMessage>) {}

  /** Resolves when all clients are logged in. The caller must stop it. */
  static async start(options: Omit<BareMessage & { kind: "start" }, "kind">, signal: AbortSignal): Promise<BareBaileys> {
    const child = Child.start<BareMessage>("bare Baileys", "./baseline/bare-baileys-process.js", signal);
    try {
      await child.request({ kind: "start", ...options }, startMs + options.credentials.length * loginMs);
      return new BareBaileys(child);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  async run(seconds: number, recipients: readonly (readonly string[])[]): Promise<BareResult> {
    return isResult(await this.child.request({ kind: "run", seconds, recipients }, seconds * 1000 + startMs));
  }

  async cpuSeconds(): Promise<number> {
    return (await this.usage()).cpuSeconds;
  }

  async usage(): Promise<BareUsage> {
    return isUsage(await this.child.request({ kind: "usage" }, startMs));
  }

  /** Resolves with the server's address in the form `http://host:port`. */
  async serve(): Promise<string> {
    return `http://127.0.0.1:${isServed(await this.child.request({ kind: "serve" }, startMs)).port}`;
  }

  get pid(): number {
    return this.child.pid;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const startMs = 120_000;
/** Clients log in one after the other. */
const loginMs = 500;
const isResult = typia.createAssert<BareResult>();
const isUsage = typia.createAssert<BareUsage>();
const isServed = typia.createAssert<{ port: number }>();
