/** Makes a session's calls wait for the calls that they must follow (`invokeAfterMsg`, `invokeAfterMsgs`). */
import { RpcFault } from "../../rpc.js";
import type { ReceivedMessages } from "./received-messages.js";
import type { Outcome, RunningRequest } from "./running-request.js";

/** The platform's limit (core.telegram.org/api/invoking). */
const waitMs = 500;
/** Failed calls that a follower may still name. The limit matters with thousands of idle sessions. */
const keptFailures = 64;

export class Predecessors {
  private readonly failed = new Set<bigint>();
  /** Waiters for calls that have not arrived yet. */
  private readonly expecting = new Map<bigint, Set<() => void>>();

  constructor(
    private readonly received: ReceivedMessages,
    private readonly running: ReadonlyMap<bigint, RunningRequest>,
  ) {}

  /** Wakes the waiters of a call that has arrived and runs now. */
  came(id: bigint): void {
    for (const wake of this.expecting.get(id) ?? []) wake();
    this.expecting.delete(id);
  }

  ended(id: bigint, outcome: Outcome): void {
    if (outcome !== "failed") return;
    this.failed.add(id);
    const [oldest] = this.failed;
    if (oldest !== undefined && this.failed.size > keptFailures) this.failed.delete(oldest);
  }

  /** Throws the platform's error if one of the calls failed or has no result in time. */
  async wait(ids: readonly bigint[]): Promise<void> {
    if (ids.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"silent">((resolve) => (timer = setTimeout(resolve, waitMs, "silent")));
    try {
      for (const id of ids) {
        const outcome = await this.outcome(id, late);
        if (outcome === "failed") throw new RpcFault(400, "MSG_WAIT_FAILED");
        if (outcome === "silent") throw new RpcFault(-503, "MSG_WAIT_TIMEOUT");
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns `silent` if `late` resolves first. */
  private async outcome(id: bigint, late: Promise<"silent">): Promise<Outcome> {
    if (this.failed.has(id)) return "failed";
    const running = this.running.get(id);
    if (running) return await Promise.race([running.ended.then((outcome) => (outcome === "silent" ? late : outcome)), late]);
    const state = this.received.state(id);
    // A call that is no longer remembered completed long ago.
    if (state === "received" || state === "unknown") return "answered";
    return (await this.arrival(id, late)) === "silent" ? "silent" : await this.outcome(id, late);
  }

  private async arrival(id: bigint, late: Promise<"silent">): Promise<"silent" | undefined> {
    const waiting = this.expecting.get(id) ?? new Set();
    this.expecting.set(id, waiting);
    let wake = (): void => undefined;
    const came = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)));
    waiting.add(wake);
    const first = await Promise.race([came, late]);
    waiting.delete(wake);
    if (waiting.size === 0 && this.expecting.get(id) === waiting) this.expecting.delete(id);
    return first;
  }
}
