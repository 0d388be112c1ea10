import { pause, type Machine, type Steps } from "./machine.js";
import { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";

/** The supervisor tries this often. After that the member's silence counts as its death (`deploy/supervisor/bury-member.ts`). */
const tries = 40;
const retryMs = 500;

/** Buries the members whose processes it has reaped. */
export class Supervisor {
  private readonly connection: Connection;

  constructor(
    readonly machine: Machine,
    private readonly redis: ModelRedis,
  ) {
    this.connection = new Connection(redis.link, machine);
  }

  reaped(name: string, incarnation: string): void {
    if (incarnation !== "") this.machine.start(this.bury(name, incarnation));
  }

  private *bury(name: string, incarnation: string): Steps {
    const { redis, connection, machine } = this;
    for (let left = tries; left > 0; left--) {
      try {
        yield connection.ask({ apply: () => redis.members.bury(name, incarnation, "*", "reaped") });
        redis.world.note("reaped", incarnation);
        redis.publish("members", name);
        return;
      } catch {
        yield* pause(machine, retryMs);
      }
    }
  }
}
