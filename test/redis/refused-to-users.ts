import { Redis } from "ioredis";
import { roles, type RedisUsers } from "../harness/redis-users.js";
import type { RedisNode } from "../harness/redis-node.js";

/** Commands that administer a server, its replicas or its cluster. */
const commands = [
  ...["FLUSHALL", "KEYS *", "SCAN 0", "CONFIG GET *", "CONFIG SET maxmemory 1", "ACL LIST", "MONITOR", "SHUTDOWN NOSAVE", "CLIENT LIST"],
  ...["REPLICAOF NO ONE", "FAILOVER", "PSYNC ? -1", "MIGRATE 127.0.0.1 1 k 0 1", "GET other", "SET other x"],
  ...["CLUSTER NODES", "CLUSTER RESET", "CLUSTER FAILOVER", "CLUSTER FORGET x", "CLUSTER SETSLOT 0 STABLE", "CLUSTER MEET 127.0.0.1 1"],
];
/** Commands that a role needs for its own work. */
const own: Readonly<Record<string, readonly string[]>> = { replica: ["PSYNC ? -1"], failover: ["REPLICAOF NO ONE"] };

/** Returns the commands that users may run although their role does not need them; empty if the permissions are right. */
export async function notRefused(nodes: readonly RedisNode[], users: RedisUsers): Promise<string[]> {
  const found = await Promise.all(
    nodes.flatMap(({ port }) =>
      roles.map(async (role) => {
        const redis = new Redis({ host: "127.0.0.1", port, username: role, password: users.passwordOf(role), enableReadyCheck: false });
        try {
          const asked = commands.filter((command) => own[role]?.includes(command) !== true);
          return await Promise.all(asked.map(async (command) => ((await isRefused(redis, command)) ? [] : [`${role}: ${command}`])));
        } finally {
          redis.disconnect();
        }
      }),
    ),
  );
  return found.flat(2);
}

export async function isRefused(redis: Redis, command: string): Promise<boolean> {
  const [name = "", ...rest] = command.split(" ");
  return await redis.call(name, ...rest).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.startsWith("NOPERM"),
  );
}
