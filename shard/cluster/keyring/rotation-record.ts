import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { script } from "../../../shared/redis/script.js";
import { integer, oneOf, text, tuple, word } from "../../../shared/redis/script-reply.js";
import type { RotationProgress } from "../../session/news/news-writer.js";
import type { Counted, Phase } from "./rotation-plan.js";

/** What a runner has to go on with. */
export interface Pass {
  readonly phase: Phase;
  /** Of one rotation; another one has another number. */
  readonly run: number;
  readonly slot: number;
  readonly sealing: string;
}

/** A runner that dies is followed by another after this. Each step renews it. */
export const leaseMs = 15_000;

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const isOurs = word(0, 1);
const claimPass = script<
  [rotation: string],
  [runner: string, leaseMs: number, ...keyIds: string[]],
  [] | [phase: Phase, run: number, slot: number, sealing: string]
>(lua("claim"), oneOf(tuple(), tuple(word("counting", "resealing"), integer, integer, text)));
const advancePass = script<
  [rotation: string],
  [runner: string, run: number, slot: number, next: number, leaseMs: number, ...growth: (string | number)[]],
  0 | 1
>(lua("advance"), isOurs);
const turnPass = script<[rotation: string], [runner: string, run: number, phase: Phase, next: Phase | "", old: number], 0 | 1>(
  lua("turn"),
  isOurs,
);

/** Counters that a step adds to: `found:a` and `records:a` of key a, `done`, `failed`. */
export type Growth = readonly (readonly [field: string, by: number])[];

/** The rotation as one runner sees and moves it: whose lease is over, or whose rotation was followed by another, moves nothing. */
export class RotationRecord {
  constructor(
    private readonly redis: RedisClient,
    private readonly runner: string,
  ) {}

  /** `undefined` when there is nothing to do, another does it, or it takes a key that is not among these. */
  async claim(keyIds: readonly string[]): Promise<Pass | undefined> {
    const claimed = await claimPass(this.redis, [keys.rotation], [this.runner, leaseMs, ...keyIds]);
    if (claimed.length === 0) return undefined;
    const [phase, run, slot, sealing] = claimed;
    return { phase, run, slot, sealing };
  }

  async advance({ run }: Pass, from: number, to: number, growth: Growth): Promise<boolean> {
    return (await advancePass(this.redis, [keys.rotation], [this.runner, run, from, to, leaseMs, ...growth.flat()])) === 1;
  }

  async turn({ run, phase }: Pass, next: Phase | "", old: number): Promise<boolean> {
    return (await turnPass(this.redis, [keys.rotation], [this.runner, run, phase, next, old])) === 1;
  }

  /** Another may go on at once. */
  async release({ run }: Pass, slot: number): Promise<void> {
    await advancePass(this.redis, [keys.rotation], [this.runner, run, slot, slot, 0]);
  }

  /** How far it is, for those who look on. */
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
