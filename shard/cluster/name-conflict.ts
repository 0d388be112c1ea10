import { ConfigError } from "../../shared/config/env.js";
import { keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";

/** One beat that was seen may have been a dead process's last, still on its way. */
const beatsOfTheLiving = 2;

/** What a look at the member of our name found. */
export interface NameHolder {
  readonly incarnation: string;
  readonly sequence: string;
  readonly state: string;
}

/** What the looks so far say together; `undefined`: nothing yet. */
export interface HolderSigns {
  readonly incarnation: string;
  readonly sequence: string;
  /** That were seen to come. */
  readonly beats: number;
}

/**
 * Tells the two apart that keep a member from joining under its name: a former life of it, which is dead and will be buried, and another process that lives.
 * Only the latter's heartbeat goes on. One that drains is about to leave.
 */
export class NameConflict {
  private signs: HolderSigns | undefined;
  /** Where the one that was seen last runs. */
  private host = "";

  constructor(
    private readonly redis: RedisClient,
    private readonly name: string,
  ) {}

  /** Why the name cannot be ours, once it is certain that another process lives by it. */
  get reason(): string | undefined {
    return isAlive(this.signs) ? `member name ${this.name} is in use on host ${this.host}` : undefined;
  }

  /** To be called from time to time while the name is taken. Rejects with a `ConfigError` once it is certain that the other one lives. */
  async look(): Promise<void> {
    const [incarnation, sequence, state, host] = await this.redis.hmget(keys.member(this.name), "inc", "seq", "st", "addr");
    const found = incarnation == null || sequence == null ? undefined : { incarnation, sequence, state: state ?? "" };
    this.signs = signsAfter(this.signs, found);
    this.host = host ?? "";
    if (isAlive(this.signs))
      throw new ConfigError([
        `MEMBER_NAME ${this.name} is the name of a process that is running on host ${this.host}: give this one another name`,
      ]);
  }

  /** The name is ours, or nobody's. */
  forget(): void {
    this.signs = undefined;
  }
}

/** Pure. */
export function signsAfter(before: HolderSigns | undefined, found: NameHolder | undefined): HolderSigns | undefined {
  if (found?.state !== "active") return undefined;
  const { incarnation, sequence } = found;
  if (before?.incarnation !== incarnation) return { incarnation, sequence, beats: 0 };
  return { incarnation, sequence, beats: before.beats + (before.sequence === sequence ? 0 : 1) };
}

export function isAlive(signs: HolderSigns | undefined): boolean {
  return signs !== undefined && signs.beats >= beatsOfTheLiving;
}
