import { randomUUID } from "node:crypto";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import type { Caller, Reachable } from "../harness/api.js";
import { PlatformSide, type Doc } from "../harness/platform-side.js";

const account = "alice";
const everyMs = 250;

/** Sends messages of both platforms at a steady rate and repeats each until it gets a 200, like a caller with idempotency keys. */
export class SteadyLoad {
  /** Counts of the other responses, by their text. */
  readonly refusals = new Map<string, number>();
  /** Longest time in ms from a message's first attempt to its 200. */
  longestMs = 0;
  private readonly texts: Record<Platform, string[]> = { telegram: [], whatsapp: [] };
  private readonly ended = new AbortController();
  private running: Promise<unknown> = Promise.resolve();
  private failure: Error | undefined;

  private constructor(
    private readonly gateway: Reachable,
    private readonly callers: Readonly<Record<Platform, Caller>>,
    private readonly through: () => number,
  ) {}

  /** `through` returns the router for the next attempt. */
  static async start(
    gateway: Reachable,
    callers: Readonly<Record<Platform, Caller>>,
    through: () => number = () => 0,
  ): Promise<SteadyLoad> {
    const load = new SteadyLoad(gateway, callers, through);
    const phones = await Promise.all(platforms.map((platform) => load.side(platform).phoneOf("bob")));
    load.running = Promise.all(platforms.map((platform, i) => load.run(platform, phones[i] ?? "")));
    load.running.catch((error: unknown) => (load.failure = error instanceof Error ? error : new Error(String(error))));
    return load;
  }

  /** Resolves when `count` further messages of each platform got a 200. */
  async further(count: number): Promise<void> {
    const wanted = platforms.map((platform) => this.texts[platform].length + count);
    while (platforms.some((platform, i) => this.texts[platform].length < (wanted[i] ?? 0))) {
      if (this.failure !== undefined) throw this.failure;
      await pause(50);
    }
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.running;
  }

  /** Returns the texts with a 200 that the platforms do not have exactly once, with their counts. */
  async notOnce(): Promise<Record<string, number>> {
    const wrong: Record<string, number> = {};
    for (const platform of platforms) {
      const rows = await this.side(platform).received(account, "message");
      for (const text of this.texts[platform]) {
        const times = rows.filter((row) => row["text"] === text).length;
        if (times !== 1) wrong[`${platform} ${text}`] = times;
      }
    }
    return wrong;
  }

  get sent(): number {
    return platforms.reduce((sum, platform) => sum + this.texts[platform].length, 0);
  }

  private async run(platform: Platform, phone: string): Promise<void> {
    while (!this.ended.signal.aborted) {
      const text = randomUUID();
      const startedAt = performance.now();
      while (!(await this.isSent(platform, phone, text))) await pause(everyMs);
      this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
      this.texts[platform].push(text);
      await pause(everyMs);
    }
  }

  private async isSent(platform: Platform, phone: string, text: string): Promise<boolean> {
    const body = { phone, type: "text", text };
    const caller = this.callers[platform].through(this.through());
    const answer = await caller.send("POST", "/message", body, { "idempotency-key": text }).catch(unlessNobodyListens);
    if (answer === undefined) return false;
    const { status, body: said } = answer;
    if (status !== 200) {
      const what = `${status} ${JSON.stringify(said)}`;
      this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
    }
    return status === 200;
  }

  private side(platform: Platform): PlatformSide<Doc & { type: string }> {
    return new PlatformSide(this.gateway, platform);
  }
}

/** Ignores a router that has just ended: a load balancer would use the next one. */
function unlessNobodyListens(error: unknown): undefined {
  if (error instanceof Error && error.cause instanceof Error && "code" in error.cause && error.cause.code === "ECONNREFUSED") return;
  throw error;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
