import typia from "typia";
import { Child } from "../child.js";

/** What webhooks brought so far. */
export interface Received {
  readonly requests: number;
  /** By their ids: a repeat counts once. */
  readonly events: number;
}

/** A receiver of webhooks in a process of its own, which answers 200 at once. */
export class Receiver {
  private constructor(
    private readonly child: Child,
    readonly url: string,
  ) {}

  /** To be stopped by who started it. */
  static async start(signal: AbortSignal): Promise<Receiver> {
    const child = Child.start("receiver", "./receiver/receiver-process.js", signal);
    try {
      const { port } = isStarted(await child.ask({ kind: "start" }, answerMs));
      return new Receiver(child, `http://127.0.0.1:${port}/events`);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  async received(): Promise<Received> {
    return isReceived(await this.child.ask({ kind: "count" }, answerMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const answerMs = 15_000;
const isStarted = typia.createAssert<{ port: number }>();
const isReceived = typia.createAssert<Received>();
