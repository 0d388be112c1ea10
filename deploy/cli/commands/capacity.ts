import { Option } from "commander";
import { infoFields } from "../../../shared/redis/info-fields.js";
import { mastersOf } from "../../../shared/redis/topology.js";
import { capacityOf, type Capacity, type RedisLoad, type ShardCapacity } from "../capacity/capacity-of.js";
import { measuredCosts } from "../capacity/measured-costs.js";
import { planOf, type Plan } from "../capacity/plan-of.js";
import { backText, boundColumns, planColumns, planRows, sourceText } from "../capacity/plan-text.js";
import { percent, rate } from "../capacity/rate.js";
import type { Cli, Registry } from "../cli.js";
import { count } from "../options.js";
import { bytes, counted } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { openRedis, redisOf } from "../redis-access.js";
import { readMembers } from "./members.js";
import { examples } from "../examples.js";

const shardMibDefault = 2_048;

interface CapacityOptions {
  readonly shardMemory: number;
  readonly sessions?: number;
  readonly telegram: number;
  readonly sends: number;
  readonly incoming: number;
  readonly reads: number;
  readonly media: number;
  readonly cold: number;
}

export function registerCapacity({ program, run }: Registry): void {
  program
    .command("capacity")
    .description("Show current capacity, or plan for a number of sessions with --sessions.")
    .addOption(new Option("--shard-memory <mib>", "Memory per shard, in MiB").default(shardMibDefault).argParser(count))
    .optionsGroup("Planning:")
    .addOption(new Option("--sessions <n>", "Plan for this many sessions (needs no gateway)").argParser(count))
    .addOption(
      new Option("--telegram <percent>", "Share of Telegram sessions and messages; the rest is WhatsApp").default(50).argParser(percent),
    )
    .addOption(new Option("--sends <rate>", "Outgoing messages, e.g. 50/s").default(0, "0/s").argParser(rate))
    .addOption(new Option("--incoming <rate>", "Incoming messages, e.g. 1e6/day").default(0, "0/s").argParser(rate))
    .addOption(new Option("--reads <rate>", "Read requests such as GET /session").default(0, "0/s").argParser(rate))
    .addOption(new Option("--media <rate>", "Media delivered to callers, in MiB").default(0, "0/s").argParser(rate))
    .addOption(new Option("--cold <percent>", "Share of media that is not cached").default(20).argParser(percent))
    .addHelpText("after", examples("capacity", "capacity --sessions 100000 --sends 50/s --incoming 1e6/day --media 20/s"))
    .action(
      run(async (cli, options: CapacityOptions) => {
        const { shardMemory } = options;
        if (options.sessions !== undefined) {
          const plan = planOf(demandOf(options, options.sessions), measuredCosts);
          cli.screen.show(plan, () => planText(cli, plan));
          return;
        }
        const [members, redis] = [await readMembers(cli.client), await redisLoad(cli)];
        const shards = members.flatMap(({ role, name, host, sessions, memoryBytes }) =>
          role === "shard" && sessions !== null && memoryBytes !== null ? [{ name, host, sessions, memoryBytes }] : [],
        );
        const capacity = capacityOf(shards, shardMemory * 1024 ** 2, redis);
        cli.screen.show(capacity, () => capacityText(cli, capacity, shardMemory));
      }),
    );
}

function demandOf(
  { shardMemory, telegram, sends, incoming, reads, media, cold }: CapacityOptions,
  sessions: number,
): Parameters<typeof planOf>[0] {
  const [ofTelegram, ofWhatsApp, coldShare] = [telegram / 100, 1 - telegram / 100, cold / 100];
  const telegramSessions = Math.round(sessions * ofTelegram);
  return {
    sessions: { telegram: telegramSessions, whatsapp: sessions - telegramSessions },
    perSecond: {
      telegramText: sends * ofTelegram,
      whatsappText: sends * ofWhatsApp,
      telegramIncoming: incoming * ofTelegram,
      whatsappIncoming: incoming * ofWhatsApp,
      read: reads,
      warmMib: media * (1 - coldShare),
      coldMib: media * coldShare,
    },
    shardBytes: shardMemory * 1024 ** 2,
  };
}

function planText({ screen }: Cli, plan: Plan): string {
  return [
    screen.table(planColumns, planRows(plan)),
    "",
    screen.table(boundColumns, plan.bounds),
    "",
    backText(plan),
    sourceText(measuredCosts),
  ].join("\n");
}

/** Reads the Redis of this machine's settings. The gateway may run elsewhere and use another Redis. */
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
  { title: "SHARD", of: ({ name }) => name, whole: true },
  { title: "HOST", of: ({ host }) => host },
  { title: "SESSIONS", of: ({ sessions }) => sessions, align: "right" },
  { title: "MEMORY", of: ({ memoryBytes }) => bytes(memoryBytes), align: "right" },
  {
    title: "PER SESSION",
    of: ({ bytesPerSession, isMeasured }) => `${bytes(bytesPerSession)}${isMeasured ? "" : " (model)"}`,
    align: "right",
  },
  { title: "ROOM FOR", of: ({ more }) => more, align: "right" },
];

function capacityText({ screen }: Cli, { sessions, shards, more, redis }: Capacity, shardMemory: number): string {
  return [
    screen.table(columns, shards),
    "",
    `${counted(sessions, "session")}. Memory for ${more} more idle sessions at ${shardMemory} MiB per shard. Traffic also needs CPU: see deploy/docs/capacity.md.`,
    redisText(redis),
  ].join("\n");
}

function redisText(redis: Capacity["redis"]): string {
  if (redis === null) return "Redis: unreachable from here, memory unknown. Set TRUNKLINE_REDIS_URL.";
  const { usedBytes, maxBytes, bytesPerSession, more } = redis;
  const limit = maxBytes === 0 ? "no maxmemory" : `of ${bytes(maxBytes)}`;
  const each = bytesPerSession === null ? "too few sessions to estimate memory per session" : `${bytes(bytesPerSession)} per session`;
  return `Redis: ${bytes(usedBytes)} used, ${limit}; ${each}${more === null ? "" : `; room for ${more} more at 80 % of maxmemory`}.`;
}
