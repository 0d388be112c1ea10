import { once } from "node:events";
import { request as open, type IncomingMessage } from "node:http";
import type { Caller } from "./api.js";
import { eventually } from "./eventually.js";

/** Sends numbered messages of one session through one router, without waiting for earlier responses. */
export class NumberedLoad {
  private readonly responses: Promise<{ readonly text: string; readonly status: number }>[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** `base`: the router's address of variant B. */
  constructor(
    private readonly base: string,
    private readonly caller: Caller,
    private readonly phone: string,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.responses.push(this.send(String(this.responses.length))), 40);
  }

  /** Resolves when `count` more messages were accepted. */
  async further(count: number): Promise<void> {
    const from = this.responses.length;
    await eventually("more messages", () => this.responses.length >= from + count);
    await Promise.all(this.responses.slice(0, from + count));
  }

  /** Returns the texts of all accepted messages, in the order of sending. */
  async stop(): Promise<string[]> {
    clearInterval(this.timer);
    return (await Promise.all(this.responses)).filter(({ status }) => status === 200).map(({ text }) => text);
  }

  /** Each message uses a new connection: on a reused one it would overtake an earlier message. */
  private async send(text: string): Promise<{ text: string; status: number }> {
    const { id, sessionId } = this.caller.credentials;
    const headers = { id, "session-id": sessionId, "content-type": "application/json" };
    const call = open(`${this.base}/message`, { method: "POST", headers, agent: false });
    call.end(JSON.stringify({ phone: this.phone, type: "text", text }));
    const [response] = (await once(call, "response")) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    return { text, status: response.statusCode ?? 0 };
  }
}
