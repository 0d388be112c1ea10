import { every } from "../../shared/flow/every.js";

/** What a person at the terminal is told of; the other parts of a start take no time. */
const told: Readonly<Record<string, readonly [doing: string, done: string]>> = {
  ports: ["waiting for free ports", "ports are free"],
  redis: ["starting Redis", "Redis started"],
  "cache redis": ["starting the cache Redis", "cache Redis started"],
  sandbox: ["starting the sandbox", "sandbox started"],
  shards: ["starting shards", "shards started"],
  routers: ["starting routers", "routers started"],
};

/** A terminal, as far as it is needed here. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows on a terminal what the start is doing, and for how long; where nobody looks on, nothing. */
export class StartProgress {
  private line: { doing: string; done: string; since: number } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The part before has been started. */
  starting(part: string): void {
    this.finish();
    const words = told[part];
    if (words === undefined || this.terminal.isTTY !== true) return;
    this.line = { doing: words[0], done: words[1], since: this.now() };
    this.draw();
    this.timer = every(1_000, () => this.draw()).unref();
  }

  /** The last part has been started. */
  finish(): void {
    if (this.line === undefined) return;
    const seconds = this.seconds(1);
    // What took no time is no news.
    this.over(seconds === "0.0" ? "" : `start: ${this.line.done} (${seconds} s)\n`);
  }

  /** The start has failed, or was broken off. */
  drop(): void {
    if (this.line !== undefined) this.over("");
  }

  private draw(): void {
    if (this.line !== undefined) this.terminal.write(`${clearLine}start: ${this.line.doing} ... ${this.seconds(0)} s`);
  }

  private over(text: string): void {
    clearInterval(this.timer);
    this.terminal.write(`${clearLine}${text}`);
    this.line = undefined;
  }

  private seconds(digits: number): string {
    return ((this.now() - (this.line?.since ?? 0)) / 1_000).toFixed(digits);
  }
}

const clearLine = "\r\u001b[K";
