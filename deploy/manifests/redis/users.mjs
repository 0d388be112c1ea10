import { createHash } from "node:crypto";

/**
 * The users of both Redis: each kind of process may use the keys, channels and commands that it needs, and nothing else (.github/SECURITY.md, "Redis users").
 * In the words of Redis 6.2, which every later Redis and Valkey understands. What a script calls is checked like any other command.
 */
/** The last three where Redis is a cluster. */
const connection = ["ping", "info", "client|setname", "evalsha", "eval", "cluster|slots", "cluster|info", "asking"];
const cluster = [
  "member:{*",
  "members",
  "{members}:*",
  "pins",
  "drained",
  "{processes}:*",
  "keyring",
  "{keyring}:*",
  "{schema}",
  "{schema}:*",
  "owner:{*",
  "slot-sessions:{*",
  "slot-trash:{*",
  "probe:{*",
];
/** Tenants, api keys, and what tenants have left of their quotas. */
const directory = [
  ...["tenants:{*", "api-keys:{*", "api-key-uses:{*", "directory-version:{*"],
  ...["tenant-requests:{*", "tenant-media-bytes:{*", "tenant-messages:{*", "tenant-moves:{*"],
];
/** Quotas that shards keep, and how many of a tenant's things are at work. */
const places = ["tenant-quotas:{*", "tenant-proxies:{*", "key-proxies:{*", "tenant-places:{*"];
const tenantSessions = "tenant-sessions:{*";
const cache = ["cache-of", "chunk:*", "media-description:*", "big-reply:*"];

export const users = {
  /** Reads sessions' records and how much waits for their receivers, writes commands; their other secrets it never sees. */
  router: {
    keys: [
      ...[...cluster, ...directory, ...places, tenantSessions, ...cache],
      ...["session:{*", "qr:{*", "trash:session:{*", "outbox:{*", "dead-letters:{*", "commands:{*", "enqueued:{*", "replies:{*"],
      ...["creation:{*", "creation-keys:{*", "sign-in:{*", "audit", "{audit}:*", "{news}:*"],
    ],
    channels: ["tl:*", "__redis__:invalidate"],
    commands: [
      ...connection,
      ...["client|id", "client|tracking", "subscribe", "publish"],
      ...["get", "getdel", "getex", "set", "del", "exists", "expire", "pexpire", "time", "incr", "decr"],
      ...["hget", "hmget", "hgetall", "hset", "hsetnx", "hdel", "hstrlen", "hlen", "hexists"],
      ...["sadd", "srem", "smembers", "sismember", "scard", "sscan"],
      ...["zadd", "zrem", "zcard", "zrange", "zrangebyscore", "zremrangebyrank", "zremrangebyscore"],
      ...["xadd", "xdel", "xlen", "xrange", "xrevrange", "xread", "xtrim"],
    ],
  },
  /** Owns sessions: reads and writes all that is stored of them. */
  shard: {
    keys: [
      ...[...cluster, ...places, tenantSessions, ...cache, "{news}:stream", "{news}:heard", "replica-mark:{*", "{whatsapp}:*"],
      ...["commands:{*", "dead-commands", "replies:{*", "result:{*", "trash:*", "audit"],
      ...["session:{*", "qr:{*", "peers:{*", "secrets:{*", "sent:{*", "sent-index:{*", "webhook:{*", "message-chats:{*"],
      ...["older-chats:{*", "seen-events:{*", "outbox:{*", "dead-letters:{*", "idempotency-keys:{*"],
    ],
    channels: ["tl:*"],
    commands: [
      ...connection,
      ...["subscribe", "publish", "multi", "exec", "wait"],
      ...["get", "set", "setrange", "del", "exists", "expire", "pexpire", "persist", "rename", "time", "type", "pttl"],
      ...["hget", "hmget", "hgetall", "hset", "hsetnx", "hdel", "hlen", "hstrlen", "hincrby", "hrandfield"],
      ...["sadd", "srem", "smembers", "sismember", "scard"],
      ...["zadd", "zrem", "zcard", "zpopmin", "zrange", "zrangebyscore", "zremrangebyrank", "zremrangebyscore"],
      ...["xadd", "xlen", "xrange", "xdel", "xtrim", "xread", "xinfo|stream", "xgroup|create"],
    ],
  },
  /** Says that a shard's process is dead, and how it fares itself. */
  supervisor: {
    keys: ["member:{*", "{processes}:*"],
    channels: ["tl:members"],
    commands: [...connection, "publish", "time", "hget", "hset", "hdel", "pexpire", "zadd", "zrem", "zcard", "zrange", "zrangebyscore"],
  },
  /** Has the append-only file rewritten, which else nobody but the operator may: shards use it for that alone. */
  rewriter: { keys: [], channels: [], commands: ["ping", "info", "client|setname", "bgrewriteaof", "cluster|slots", "cluster|info"] },
  /** Copies its master. */
  replica: { keys: [], channels: [], commands: ["ping", "replconf", "psync"] },
  /** Sentinels, in the servers that they watch: they make a replica a master. */
  failover: {
    keys: [],
    channels: ["__sentinel__:hello"],
    commands: [
      ...["ping", "info", "role", "publish", "subscribe", "multi", "exec", "slaveof", "replicaof", "config|rewrite"],
      ...["client|setname", "client|kill", "script|kill"],
    ],
  },
  /** Health checks and exporters: figures, no key. */
  metrics: { keys: [], channels: [], commands: ["ping", "info", "client|setname"] },
};

/** Where a user's password stands in the file of settings. The operator is Redis' own user `default`. */
export function passwordName(user) {
  return user === "default" ? "REDIS_PASSWORD" : `REDIS_${user.toUpperCase()}_PASSWORD`;
}

/** Those that a Redis without replicas and Sentinels has no use for. */
export const usersOfReplicas = ["replica", "failover"];

/** Redis' file of users, but for those of `without`. `passwordOf` tells a user's password; in the file stands its hash. */
export function usersFile(passwordOf, without) {
  const hash = (user) => `#${createHash("sha256").update(passwordOf(user)).digest("hex")}`;
  const wanted = Object.entries(users).filter(([user]) => !without.includes(user));
  const lines = wanted.map(([user, { keys, channels, commands }]) =>
    [
      ...["user", user, "reset", "on", hash(user), "resetchannels", "-@all"],
      ...keys.map((key) => `~${key}`),
      ...channels.map((channel) => `&${channel}`),
      ...commands.map((command) => `+${command}`),
    ].join(" "),
  );
  return [`user default reset on ${hash("default")} ~* &* +@all`, ...lines, ""].join("\n");
}
