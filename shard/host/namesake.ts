import { ConfigError } from "../../shared/config/env.js";
import { keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";

/** One beat that was seen may have been a dead process's last, still on its way. */
const beatsOfTheLiving = 2;

/**
 * Tells the two apart that keep a member from joining under its name: a former life of it, which is dead and will be buried, and another process that lives.
 * Only the latter's heartbeat goes on. One that drains is about to leave.
 */
export class Namesake {
  private seen: { readonly incarnation: string; readonly sequence: string; readonly host: string } | undefined;
  private beats = 0;

  constructor(
    private readonly redis: RedisClient,
    private readonly name: string,
  ) {}

  /** Why the name cannot be ours, once it is certain that another process lives by it. */
  get reason(): string | undefined {
    const host = this.beats < beatsOfTheLiving ? undefined : this.seen?.host;
    return host === undefined ? undefined : `member name ${this.name} is in use on host ${host}`;
  }

  /** To be called from time to time while the name is taken. Rejects with a `ConfigError` once it is certain that the other one lives. */
  async look(): Promise<void> {
    const [incarnation, sequence, state, host] = await this.redis.hmget(keys.member(this.name), "inc", "seq", "st", "addr");
    if (incarnation == null || sequence == null || state !== "active") {
      this.forget();
      return;
    }
    const { seen } = this;
    this.seen = { incarnation, sequence, host: host ?? "" };
    if (seen?.incarnation !== incarnation) this.beats = 0;
    else if (seen.sequence !== sequence) this.beats += 1;
    if (this.beats >= beatsOfTheLiving)
      throw new ConfigError([
        `MEMBER_NAME ${this.name} is the name of a process that is running on host ${this.seen.host}: give this one another name`,
      ]);
  }

  /** The name is ours, or nobody's. */
  forget(): void {
    this.seen = undefined;
    this.beats = 0;
  }
}
