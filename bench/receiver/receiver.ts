import typia from "typia";
import { Child } from "../child.js";

/** Makes the receiver listen, or report what it has received. */
export interface ReceiverMessage {
  readonly kind: "start" | "count";
}

/** Webhook requests received so far. */
export interface Received {
  readonly requests: number;
  /** Counted by id, so a retry counts once. */
  readonly events: number;
}

/** A webhook receiver in a process of its own. Responds with 200 at once. */
export class Receiver {
  private constructor(
    private readonly child: Child<ReceiverMessage>,
    readonly url: string,
  ) {}

  /** The caller must stop it. */
  static async start(signal: AbortSignal): Promise<Receiver> {
    const child = Child.start<ReceiverMessage>("receiver", "./receiver/receiver-process.js", signal);
    try {
      const { port } = isStarted(await child.request({ kind: "start" }, responseTimeoutMs));
      return new Receiver(child, `http://127.0.0.1:${port}/events`);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  async received(): Promise<Received> {
    return isReceived(await this.child.request({ kind: "count" }, responseTimeoutMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const responseTimeoutMs = 15_000;
const isStarted = typia.createAssert<{ port: number }>();
const isReceived = typia.createAssert<Received>();
