import { Option } from "commander";
import type { Cli, Registry } from "../cli.js";
import { capacityOf, type Capacity, type RedisLoad, type ShardCapacity } from "../capacity/capacity-of.js";
import { infoFields } from "../../../shared/redis/info-fields.js";
import { mastersOf } from "../../../shared/redis/topology.js";
import { count } from "../options.js";
import { bytes, counted } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { openRedis, redisOf } from "../redis-access.js";
import { readMembers } from "./members.js";

const shardMibDefault = 2_048;

export function registerCapacity({ program, run }: Registry): void {
  program
    .command("capacity")
    .description("what the shards and Redis have and use, a session's memory, and how many more idle sessions fit")
    .addOption(new Option("--shard-memory <mib>", "what one shard may use").default(shardMibDefault).argParser(count))
    .action(
      run(async (cli, { shardMemory }: { shardMemory: number }) => {
        const [members, redis] = [await readMembers(cli.client), await redisLoad(cli)];
        const shards = members.flatMap(({ role, name, host, sessions, memoryBytes }) =>
          role === "shard" && sessions !== null && memoryBytes !== null ? [{ name, host, sessions, memoryBytes }] : [],
        );
        const capacity = capacityOf(shards, shardMemory * 1024 ** 2, redis);
        cli.screen.show(capacity, () => words(cli, capacity, shardMemory));
      }),
    );
}

/** Where this machine reaches the Redis of the logins; another's gateway may have it elsewhere. */
async function redisLoad({ options, environment }: Cli): Promise<RedisLoad | undefined> {
  const redis = await openRedis(redisOf(options, environment));
  if (redis === undefined) return undefined;
  try {
    const all = await Promise.all(mastersOf(redis).map(async (master) => infoFields(await master.info("memory"))));
    const sum = (name: string): number => all.reduce((total, info) => total + Number(info[name] ?? 0), 0);
    return { usedBytes: sum("used_memory"), maxBytes: sum("maxmemory") };
  } finally {
    redis.disconnect();
  }
}

const columns: readonly Column<ShardCapacity>[] = [
  { title: "SHARD", of: ({ name }) => name },
  { title: "HOST", of: ({ host }) => host },
  { title: "SESSIONS", of: ({ sessions }) => sessions, align: "right" },
  { title: "MEMORY", of: ({ memoryBytes }) => bytes(memoryBytes), align: "right" },
  {
    title: "A SESSION",
    of: ({ bytesPerSession, isMeasured }) => `${bytes(bytesPerSession)}${isMeasured ? "" : " (model)"}`,
    align: "right",
  },
  { title: "FIT", of: ({ more }) => more, align: "right" },
];

function words({ screen }: Cli, { sessions, shards, more, redis }: Capacity, shardMemory: number): string {
  return [
    screen.table(columns, shards),
    "",
    `${counted(sessions, "session")}; ${more} more idle ones fit by memory, at ${shardMemory} MiB a shard. What they send and take in costs processor time: see bench/README.md.`,
    redisWords(redis),
  ].join("\n");
}

function redisWords(redis: Capacity["redis"]): string {
  if (redis === null) return "Redis cannot be reached from here (TRUNKLINE_REDIS_URL): its memory was not looked at.";
  const { usedBytes, maxBytes, bytesPerSession, more } = redis;
  const limit = maxBytes === 0 ? "no maxmemory" : `of ${bytes(maxBytes)}`;
  const each = bytesPerSession === null ? "too few sessions to tell what one takes" : `${bytes(bytesPerSession)} a session`;
  return `Redis: ${bytes(usedBytes)} used, ${limit}; ${each}${more === null ? "" : `; ${more} more fit into four fifths of it`}.`;
}
