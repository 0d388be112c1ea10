import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { script } from "../../../shared/redis/script.js";
import { integer, oneOf, text, tuple, literal } from "../../../shared/redis/script-reply.js";
import type { RotationProgress } from "../../session/live-events/live-event-writer.js";
import type { Counted, Phase } from "./rotation-plan.js";

/** The pass that a runner continues. */
export interface Pass {
  readonly phase: Phase;
  /** Number of the rotation; each rotation has another one. */
  readonly run: number;
  readonly slot: number;
  readonly sealing: string;
}

/** Lease of a runner, renewed by each step: if it expires, another runner takes over. */
export const leaseMs = 15_000;

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const isOurs = literal(0, 1);
const claimPass = script<
  [rotation: string],
  [runner: string, leaseMs: number, ...keyIds: string[]],
  [] | [phase: Phase, run: number, slot: number, sealing: string]
>(lua("claim"), oneOf(tuple(), tuple(literal("counting", "resealing"), integer, integer, text)));
const advancePass = script<
  [rotation: string],
  [runner: string, run: number, slot: number, next: number, leaseMs: number, ...growth: (string | number)[]],
  0 | 1
>(lua("advance"), isOurs);
const endPass = script<[rotation: string], [runner: string, run: number, phase: Phase, next: Phase | "", old: number], 0 | 1>(
  lua("end-pass"),
  isOurs,
);

/** Counters that a step adds to: `found:a` and `records:a` of key a, `done`, `failed`. */
export type Growth = readonly (readonly [field: string, by: number])[];

/** The stored rotation as one runner sees it. A runner whose lease has expired, or whose rotation was replaced, changes nothing. */
export class RotationRecord {
  constructor(
    private readonly redis: RedisClient,
    private readonly runner: string,
  ) {}

  /** Returns `undefined` when there is nothing to do, another runner works, or the sealing key is not among `keyIds`. */
  async claim(keyIds: readonly string[]): Promise<Pass | undefined> {
    const claimed = await claimPass(this.redis, [keys.rotation], [this.runner, leaseMs, ...keyIds]);
    if (claimed.length === 0) return undefined;
    const [phase, run, slot, sealing] = claimed;
    return { phase, run, slot, sealing };
  }

  async advance({ run }: Pass, from: number, to: number, growth: Growth): Promise<boolean> {
    return (await advancePass(this.redis, [keys.rotation], [this.runner, run, from, to, leaseMs, ...growth.flat()])) === 1;
  }

  async endPass({ run, phase }: Pass, next: Phase | "", old: number): Promise<boolean> {
    return (await endPass(this.redis, [keys.rotation], [this.runner, run, phase, next, old])) === 1;
  }

  /** Releases the lease, so that another runner may continue at once. */
  async release({ run }: Pass, slot: number): Promise<void> {
    await advancePass(this.redis, [keys.rotation], [this.runner, run, slot, slot, 0]);
  }

  /** Returns the progress for operators. */
  async progress(): Promise<RotationProgress> {
    const [phase, ...counts] = await this.redis.hmget(keys.rotation, "phase", "total", "done", "failed");
    const [total = 0, done = 0, failed = 0] = counts.map(Number);
    return { state: phase === "counting" || phase === "resealing" ? phase : "ended", total, done, failed };
  }

  async counted({ sealing }: Pass): Promise<Counted> {
    const stored = Object.entries(await this.redis.hgetall(keys.rotation));
    const numbers = new Map(stored.map(([field, value]) => [field, Number(value)]));
    const found = [...numbers].flatMap(([field, count]) =>
      field.startsWith("found:") ? [[field.slice("found:".length), count] as const] : [],
    );
    return { found: new Map(found), sealing, passes: numbers.get("passes") ?? 0, failed: numbers.get("failed") ?? 0 };
  }
}
