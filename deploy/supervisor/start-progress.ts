import { every } from "../../shared/flow/every.js";

/** Parts of a start that are shown on the terminal; all other parts are quick. */
const shownParts: Readonly<Record<string, readonly [doing: string, done: string]>> = {
  ports: ["waiting for free ports", "ports are free"],
  redis: ["starting Redis", "Redis started"],
  "cache redis": ["starting the cache Redis", "cache Redis started"],
  sandbox: ["starting the sandbox", "sandbox started"],
  shards: ["starting shards", "shards started"],
  routers: ["starting routers", "routers started"],
};

/** The part of a terminal stream that is needed here. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the current part of the start and its duration. Prints nothing if the output is not a terminal. */
export class StartProgress {
  private line: { doing: string; done: string; since: number } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Called when a part starts, and so the previous part has started. */
  starting(part: string): void {
    this.finish();
    const texts = shownParts[part];
    if (texts === undefined || this.terminal.isTTY !== true) return;
    this.line = { doing: texts[0], done: texts[1], since: this.now() };
    this.draw();
    this.timer = every(1_000, () => this.draw()).unref();
  }

  /** Called when the last part has started. */
  finish(): void {
    if (this.line === undefined) return;
    const seconds = this.seconds(1);
    // A part that took no time is not shown.
    this.over(seconds === "0.0" ? "" : `start: ${this.line.done} (${seconds} s)\n`);
  }

  /** Called when the start has failed or was cancelled. */
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
