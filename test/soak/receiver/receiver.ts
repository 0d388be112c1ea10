import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { keyOfEvent } from "../event-key.js";
import type { Arrival } from "./arrival.js";
import type { Order, Plan, Report } from "./protocol.js";

/** Relative to the sources (tests) or to the build. */
const main = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../../dist/test/soak/receiver/receiver-main.js" : "./receiver-main.js", import.meta.url),
);
const patienceMs = 30_000;

/** A customer's server in a process of its own. Keeps the received requests in order, and their faults. */
export class Receiver {
  readonly arrivals = new Map<string, Arrival[]>();
  /** Sentences about requests that violate the protocol. */
  readonly faults: string[] = [];
  private ports: readonly number[] = [];
  private readonly heard = new Set<string>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly tokens: (name: string) => readonly string[],
  ) {
    child.on("message", (report: Report) => this.take(report));
  }

  /** Resolves when it listens on all of its ports. `tokens` returns the accepted tokens of a session. */
  static async start(plan: Plan, tokens: (name: string) => readonly string[]): Promise<Receiver> {
    if (!existsSync(main)) throw new Error("no build: run npm test, or npm run build");
    const receiver = new Receiver(fork(main, [JSON.stringify(plan)], { execArgv: ["--enable-source-maps"] }), tokens);
    try {
      await receiver.until(({ kind }) => kind === "listening");
    } catch (error) {
      await receiver.stop();
      throw error;
    }
    return receiver;
  }

  url(name: string, port: number): string {
    return `http://127.0.0.1:${this.ports[port % this.ports.length] ?? 0}/${name}`;
  }

  /** Returns whether a request with this event arrived, whatever the response was. */
  heardOf(name: string, key: string): boolean {
    return this.heard.has(`${name}|${key}`);
  }

  /** Stops listening; `up` listens again on the same ports. */
  async down(): Promise<void> {
    await this.order("down");
  }

  async up(): Promise<void> {
    await this.order("up");
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const over = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await over;
  }

  private async order(order: Order): Promise<void> {
    const done = this.until((report) => report.kind === "done" && report.order === order);
    this.child.send(order);
    await done;
  }

  private async until(is: (report: Report) => boolean): Promise<void> {
    const { child } = this;
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        child.off("message", heard).off("exit", exited).off("error", exited);
        settle();
      };
      const heard = (report: Report): void => {
        if (is(report)) end(resolve);
      };
      const exited = (): void => end(() => reject(new Error("the receiver's process has ended")));
      const timer = setTimeout(() => end(() => reject(new Error("the receiver's process does not answer"))), patienceMs);
      child.on("message", heard).once("exit", exited).once("error", exited);
    });
  }

  private take(report: Report): void {
    switch (report.kind) {
      case "listening":
        this.ports = report.ports;
        return;
      case "done":
        return;
      case "fault":
        this.faults.push(report.sentence);
        return;
      case "arrived": {
        const { name, arrival } = report;
        if (!this.tokens(name).includes(arrival.token))
          this.faults.push(`${name}: x-token is neither the present nor the former token, or the path was a redirect's`);
        this.heard.add(`${name}|${keyOfEvent(arrival.body)}`);
        const known = this.arrivals.get(name);
        if (known === undefined) this.arrivals.set(name, [arrival]);
        else known.push(arrival);
        return;
      }
      default:
        report satisfies never;
    }
  }
}
