import { createHash } from "node:crypto";

/**
 * Users of both Redis servers: each kind of process may use only the keys, channels and commands that it needs (.github/SECURITY.md,
 * "Redis users"). The syntax is that of Redis 6.2, which all later versions and Valkey accept.
 */
/** The last three are for a Redis Cluster. */
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
/** Tenants, API keys and what remains of the tenants' quotas. */
const directory = [
  ...["tenants:{*", "api-keys:{*", "api-key-uses:{*", "directory-version:{*"],
  ...["tenant-requests:{*", "tenant-media-bytes:{*", "tenant-messages:{*", "tenant-moves:{*"],
];
/** Quotas that shards enforce, and the tasks of each tenant in progress. */
const places = ["tenant-quotas:{*", "tenant-proxies:{*", "key-proxies:{*", "tenant-places:{*"];
const tenantSessions = "tenant-sessions:{*";
const cache = ["cache-of", "chunk:*", "media-description:*", "big-reply:*"];

export const users = {
  /** Reads session records and the number of queued events, and writes commands. It never reads the sessions' other secrets. */
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
  /** Owns sessions: reads and writes everything stored for them. */
  shard: {
    keys: [
      ...[...cluster, ...places, tenantSessions, ...cache, "{news}:stream", "{news}:heard", "replica-mark:{*", "{whatsapp}:*"],
      ...["commands:{*", "dead-commands", "replies:{*", "result:{*", "trash:*", "audit"],
      ...["session:{*", "qr:{*", "peers:{*", "secrets:{*", "sent:{*", "sent-index:{*", "webhook:{*", "message-chats:{*"],
      ...["older-chats:{*", "seen-events:{*", "outbox:{*", "dead-letters:{*", "history:{*", "idempotency-keys:{*"],
    ],
    channels: ["tl:*"],
    commands: [
      ...connection,
      ...["subscribe", "publish", "multi", "exec", "wait"],
      ...["get", "set", "setrange", "del", "exists", "expire", "pexpire", "persist", "rename", "time", "type", "pttl"],
      ...["hget", "hmget", "hgetall", "hset", "hsetnx", "hdel", "hlen", "hstrlen", "hincrby", "hrandfield"],
      ...["sadd", "srem", "smembers", "sismember", "scard"],
      ...["zadd", "zrem", "zcard", "zscore", "zpopmin", "zrange", "zrangebyscore", "zremrangebyrank", "zremrangebyscore"],
      ...["xadd", "xlen", "xrange", "xdel", "xtrim", "xread", "xinfo|stream", "xgroup|create"],
    ],
  },
  /** Reports dead shard processes, and its own state. */
  supervisor: {
    keys: ["member:{*", "{processes}:*"],
    channels: ["tl:members"],
    commands: [...connection, "publish", "time", "hget", "hset", "hdel", "pexpire", "zadd", "zrem", "zcard", "zrange", "zrangebyscore"],
  },
  /** Rewrites the append-only file, which otherwise only the operator may do. Shards use it for nothing else. */
  rewriter: { keys: [], channels: [], commands: ["ping", "info", "client|setname", "bgrewriteaof", "cluster|slots", "cluster|info"] },
  /** Replicates its master. */
  replica: { keys: [], channels: [], commands: ["ping", "replconf", "psync"] },
  /** Used by Sentinels on the servers that they monitor, to promote a replica. */
  failover: {
    keys: [],
    channels: ["__sentinel__:hello"],
    commands: [
      ...["ping", "info", "role", "publish", "subscribe", "multi", "exec", "slaveof", "replicaof", "config|rewrite"],
      ...["client|setname", "client|kill", "script|kill"],
    ],
  },
  /** Used by health checks and exporters: reads statistics, but no keys. */
  metrics: { keys: [], channels: [], commands: ["ping", "info", "client|setname"] },
};

/** Returns the name of a user's password in the settings file. The operator is the Redis user `default`. */
export function passwordName(user) {
  return user === "default" ? "REDIS_PASSWORD" : `REDIS_${user.toUpperCase()}_PASSWORD`;
}

/** Users that a Redis without replicas and Sentinels does not need. */
export const usersOfReplicas = ["replica", "failover"];

/**
 * Returns the ACL file of Redis, except for the users in `without`. `passwordOf` returns a user's password; the file contains only its
 * hash.
 */
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
