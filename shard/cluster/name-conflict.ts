import { ConfigError } from "../../shared/config/env.js";
import { keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";

/** A single new beat may have been a dead process's last one, still in transit. */
const beatsOfTheLiving = 2;

/** The member record under our name. */
export interface NameHolder {
  readonly incarnation: string;
  readonly sequence: string;
  readonly state: string;
}

/** Evidence from the reads so far; `undefined` before the first read. */
export interface HolderSigns {
  readonly incarnation: string;
  readonly sequence: string;
  /** Number of new beats seen. */
  readonly beats: number;
}

/**
 * Distinguishes a dead earlier life under our name from another live process: only a live process keeps beating. A draining process is
 * about to leave.
 */
export class NameConflict {
  private signs: HolderSigns | undefined;
  /** Host of the process seen last. */
  private host = "";

  constructor(
    private readonly redis: RedisClient,
    private readonly name: string,
  ) {}

  /** The reason why the name is taken, once another live process is certain to use it. */
  get reason(): string | undefined {
    return isAlive(this.signs) ? `member name ${this.name} is in use on host ${this.host}` : undefined;
  }

  /** Checks the holder of a taken name. Rejects with a `ConfigError` once the holder is certain to live. */
  async check(): Promise<void> {
    const [incarnation, sequence, state, host] = await this.redis.hmget(keys.member(this.name), "inc", "seq", "st", "addr");
    const holder = incarnation == null || sequence == null ? undefined : { incarnation, sequence, state: state ?? "" };
    this.signs = signsAfter(this.signs, holder);
    this.host = host ?? "";
    if (isAlive(this.signs))
      throw new ConfigError([
        `MEMBER_NAME ${this.name} is the name of a process that is running on host ${this.host}: give this one another name`,
      ]);
  }

  /** Call when the name is ours or free. */
  forget(): void {
    this.signs = undefined;
  }
}

/** Pure. */
export function signsAfter(before: HolderSigns | undefined, holder: NameHolder | undefined): HolderSigns | undefined {
  if (holder?.state !== "active") return undefined;
  const { incarnation, sequence } = holder;
  if (before?.incarnation !== incarnation) return { incarnation, sequence, beats: 0 };
  return { incarnation, sequence, beats: before.beats + (before.sequence === sequence ? 0 : 1) };
}

export function isAlive(signs: HolderSigns | undefined): boolean {
  return signs !== undefined && signs.beats >= beatsOfTheLiving;
}
