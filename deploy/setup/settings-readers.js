// Made of the settings readers in router/, shard/, shared/ and deploy/supervisor/ by `npm run build`.

// shared/config/env.ts
import { readFileSync } from "node:fs";

// shared/config/key-ring.ts
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

// shared/config/random-nonce.ts
import { randomFillSync } from "node:crypto";
var block = Buffer.alloc(6 * 1024);
var used = block.length;
function randomNonce(bytes) {
  if (used + bytes > block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += bytes;
  return Buffer.from(block.subarray(used - bytes, used));
}

// shared/config/key-ring.ts
var KeyRing = class _KeyRing {
  constructor(ring, sealingId) {
    this.ring = ring;
    this.sealingId = sealingId;
  }
  ring;
  sealingId;
  /** Throws with a sentence that names the problem and never the key. */
  static parse(text) {
    const ring = parseKeyRing(text);
    const [firstId] = ring.keys();
    if (firstId === void 0) throw new Error("holds no key");
    return new _KeyRing(ring, firstId);
  }
  /** Names of the keys, the sealing one first. */
  get ids() {
    return [this.sealingId, ...[...this.ring.keys()].filter((id) => id !== this.sealingId)];
  }
  /** Name of the key that seals. */
  get sealing() {
    return this.sealingId;
  }
  /** Makes that key the sealing one. Returns false and changes nothing when it is not in the ring. */
  choose(id) {
    if (!this.ring.has(id)) return false;
    this.sealingId = id;
    return true;
  }
  /**
   * `context` is authenticated but not stored, so that a value moved to another session or field
   * does not open. `id`: a key other than the sealing one.
   */
  seal(plain, context, id = this.sealingId) {
    return `${id}.${sealWith(this.key(id), plain, context).toString("base64url")}`;
  }
  /** The same as bytes, a quarter shorter: `<key id><nonce ciphertext tag>`. */
  sealBytes(plain, context) {
    return Buffer.concat([Buffer.from(this.sealingId), sealWith(this.key(this.sealingId), plain, context)]);
  }
  /** Throws when the value was altered, moved, or sealed under a key that left the ring. */
  open(sealed, context) {
    if (typeof sealed !== "string") return openWith(this.key(sealed.toString("latin1", 0, 1)), sealed.subarray(1), context);
    return openWith(this.key(sealingKey(sealed)), Buffer.from(sealed.slice(sealed.indexOf(".") + 1), "base64url"), context);
  }
  /**
   * Returns a MAC of `text` under each key, the sealing key's first. MACs of different purposes
   * differ, and without a key they reveal nothing of the text.
   */
  macs(text, purpose) {
    return this.ids.map((id) => {
      const derived = createHmac("sha256", this.key(id)).update(`v1|mac|${purpose}`).digest();
      return `${id}.${createHmac("sha256", derived).update(text).digest("base64url")}`;
    });
  }
  key(id) {
    const key = this.ring.get(id);
    if (key === void 0) throw new Error(`no key ${JSON.stringify(id.slice(0, 8))} in the ring`);
    return key;
  }
};
function sealingKey(sealed) {
  return sealed.slice(0, Math.max(0, sealed.indexOf(".")));
}
function parseKeyRing(text) {
  const ring = /* @__PURE__ */ new Map();
  for (const entry of text.split(",")) {
    const match = /^([A-Za-z0-9]):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry.trim());
    if (match?.[1] === void 0 || match[2] === void 0) throw new Error("must be a list of id:base64 with ids of one letter or digit");
    const key = Buffer.from(match[2], "base64");
    if (key.length !== 32) throw new Error(`key ${match[1]} must be 32 bytes of base64`);
    if (ring.has(match[1])) throw new Error(`key ${match[1]} stands twice`);
    ring.set(match[1], key);
  }
  return ring;
}
function sealWith(key, plain, context) {
  const nonce = randomNonce(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}
function openWith(key, sealed, context) {
  if (sealed.length < 28) throw new Error("sealed value is too short");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(sealed.length - 16));
  return Buffer.concat([decipher.update(sealed.subarray(12, sealed.length - 16)), decipher.final()]);
}

// shared/config/env.ts
var ConfigError = class extends Error {
  constructor(problems) {
    super(problems.join("\n"));
    this.problems = problems;
  }
  problems;
  name = "ConfigError";
};
var EnvReader = class {
  constructor(env) {
    this.env = env;
  }
  env;
  problems = [];
  text(name, fallback) {
    const value = this.value(name);
    if (value !== void 0) return value;
    if (fallback === void 0) this.problems.push(`${name} is not set`);
    return fallback ?? "";
  }
  optional(name) {
    return this.value(name);
  }
  integer(name, fallback, range) {
    const value = this.value(name);
    if (value === void 0) return fallback;
    const number2 = Number(value);
    if (Number.isInteger(number2) && number2 >= range.min && number2 <= range.max) return number2;
    this.problems.push(`${name} must be an integer from ${range.min} to ${range.max}, not ${JSON.stringify(value)}`);
    return fallback;
  }
  oneOf(name, values, fallback) {
    const value = this.value(name);
    if (value === void 0) return fallback;
    const found = values.find((candidate) => candidate === value);
    if (found === void 0) this.problems.push(`${name} must be one of ${values.join(", ")}, not ${JSON.stringify(value)}`);
    return found ?? fallback;
  }
  /** Parses with a function that throws a sentence; a secret's value never enters the problem. */
  parsed(name, parse, options = {}) {
    const text = this.value(name) ?? options.fallback;
    if (text === void 0) {
      this.problems.push(`${name} is not set`);
      return void 0;
    }
    try {
      return parse(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problems.push(`${name} ${reason}${options.secret === true ? "" : `, not ${JSON.stringify(text)}`}`);
      return void 0;
    }
  }
  keyRing(name) {
    return this.parsed(name, (text) => KeyRing.parse(text), { secret: true });
  }
  /** Adds a problem of a setting that conflicts with others; the sentence goes on from its name. */
  refuse(name, reason) {
    const problem = `${name} ${reason}`;
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }
  /** Throws a `ConfigError` when anything was wrong. */
  finish() {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
  value(name) {
    const value = this.env[name] || this.fileOf(name);
    return value === void 0 || value === "" ? void 0 : value;
  }
  fileOf(name) {
    const file = this.env[`${name}_FILE`];
    if (file === void 0 || file === "") return void 0;
    try {
      return readFileSync(file, "utf8").trim();
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      const problem = `${name}_FILE cannot be read (${reason}): ${JSON.stringify(file)}`;
      if (!this.problems.includes(problem)) this.problems.push(problem);
      return void 0;
    }
  }
};
function required(value) {
  if (value === void 0) throw new Error("setting read before finish()");
  return value;
}

// deploy/supervisor/settings.ts
import { isIPv4 } from "node:net";
import { resolve } from "node:path";

// shared/config/api-key-list.ts
var apiKeyRoles = ["create", "admin"];
var apiKeyMinLength = 16;
function parseApiKeys(text) {
  return text === "" ? [] : text.split(",").map((entry, index) => parseEntry(entry.trim(), ordinal(index + 1)));
}
function readApiKeys(text) {
  const keys = parseApiKeys(text);
  const short = keys.findIndex(({ key }) => key.length < apiKeyMinLength);
  if (short >= 0) throw new Error(`has a key of fewer than ${apiKeyMinLength} characters (the ${ordinal(short + 1)})`);
  return keys;
}
function parseEntry(entry, place) {
  const colon = entry.indexOf(":");
  const [name, key] = colon < 0 ? ["create", entry] : [entry.slice(0, colon), entry.slice(colon + 1)];
  const role = apiKeyRoles.find((candidate) => candidate === name);
  if (role === void 0)
    throw new Error(`must be a list of role:key with the roles ${apiKeyRoles.join(" and ")}; the ${place} has another`);
  if (key === "" || apiKeyRoles.some((candidate) => candidate === key)) throw new Error("must be a list of role:key without empty keys");
  return { role, key };
}
function ordinal(place) {
  return place === 1 ? "first" : place === 2 ? "second" : place === 3 ? "third" : `${place}th`;
}

// shared/cluster/cluster-timing.ts
var defaultClusterTiming = {
  heartbeatMs: 3e3,
  retryMs: 500,
  validityMs: 17e3,
  deathMs: 2e4,
  unbeatenMs: 5e3,
  unheardMs: 1e4,
  overdueMs: 4e3,
  pollMs: 1e3,
  redisSilentMs: 3e3,
  stallMs: 1e4,
  quietMs: 1e3,
  stableMs: 5e3,
  rejoinGraceMs: 3e3,
  releasedGapMs: 2e3,
  buriedGapMs: 3e3,
  drainReadMs: 5e3,
  drainSendMs: 3e4,
  connectWaitMs: 1e4,
  lostCheckMs: 2e3,
  lastRepliesMs: 5e3
};
function scaledTiming(factor) {
  const timing = { ...defaultClusterTiming };
  for (const wait of waits) timing[wait] = Math.round(timing[wait] * factor);
  return checkedTiming(timing);
}
function checkedTiming(timing) {
  for (const { holds, reason } of relations) if (!holds(timing)) throw new Error(reason);
  if (Object.values(timing).some((ms) => !(ms > 0))) throw new Error("each wait must be longer than 0 ms");
  return timing;
}
var waits = Object.keys(defaultClusterTiming);
var relations = [
  { holds: (t) => t.deathMs >= 1.15 * t.validityMs, reason: "clocks of two hosts may differ by 15 % between validity and death" },
  { holds: (t) => t.validityMs > 5 * t.heartbeatMs, reason: "a lease must outlive four failed heartbeats" },
  { holds: (t) => t.stallMs + 2 * t.pollMs < t.validityMs, reason: "a hung shard must be dead before its lease ends" },
  { holds: (t) => t.overdueMs >= t.heartbeatMs + t.pollMs, reason: "a member between two heartbeats must not be overdue" },
  { holds: (t) => t.unheardMs >= 3 * t.heartbeatMs + t.pollMs, reason: "a member may miss three heartbeats and still be heard" },
  { holds: (t) => t.unheardMs < t.validityMs, reason: "a member must be unheard before its lease ends" },
  { holds: (t) => t.unbeatenMs >= t.heartbeatMs + 2 * t.pollMs, reason: "members must have time to beat again after an outage" },
  { holds: (t) => t.redisSilentMs >= 3 * t.pollMs, reason: "Redis may miss two looks and still count as answering" },
  { holds: (t) => t.stableMs > t.rejoinGraceMs, reason: "a member that rejoins must find its slots before they move" },
  { holds: (t) => t.rejoinGraceMs >= 2 * t.retryMs, reason: "a fenced member must have time to join again" },
  { holds: (t) => t.lastRepliesMs >= t.heartbeatMs + t.pollMs, reason: "shards notice an emptied Redis at their next heartbeat" },
  { holds: (t) => t.drainReadMs <= t.drainSendMs, reason: "a move ends reads before sends" }
];

// shared/cluster/read-cluster-timing.ts
var leastPercent = 30;
function readClusterTiming(env, { onSandbox }) {
  const percent = env.integer("TEST_TIME_PERCENT", 100, { min: leastPercent, max: 100 });
  if (percent < 100 && !onSandbox) env.refuse("TEST_TIME_PERCENT", "is for tests on the sandbox alone");
  return scaledTiming(percent / 100);
}

// shared/process/settings.ts
import { hostname } from "node:os";

// shared/contract/platform.ts
var platforms = ["whatsapp", "telegram"];

// shared/redis/address.ts
var forms = "must be redis://host:port, redis+sentinel://host:port,host:port/name, redis+cluster://host:port,host:port, one of them as rediss with TLS, or the absolute path of a socket";
var form = /^(rediss?)(?:[+-](sentinel|cluster))?:\/\/(?:(.*)@)?([^/?#@]*)(?:\/([^?#]*))?$/s;
var ports = { server: 6379, sentinel: 26379, cluster: 6379 };
function parseRedisAddress(text) {
  if (text.startsWith("/")) return { kind: "socket", path: text, access: {} };
  const [matched, scheme, topology, user, hosts = "", path = ""] = form.exec(text) ?? [];
  if (matched === void 0) throw new Error(forms);
  const access = { ...credentialsOf(user), ...scheme === "rediss" ? { tls: {} } : {} };
  const kind = topology === "sentinel" || topology === "cluster" ? topology : "server";
  const servers = hosts.split(",").map((entry) => serverOf(entry.trim(), ports[kind]));
  switch (kind) {
    case "server": {
      const [server, second] = servers;
      if (server === void 0 || second !== void 0)
        throw new Error("names several hosts: redis+sentinel:// or redis+cluster:// says what they are");
      return { kind, server, database: databaseOf(path), access };
    }
    case "sentinel": {
      const [master = "", database = "", more] = path.split("/");
      if (!/^[\w.-]+$/.test(master) || more !== void 0)
        throw new Error("must end with the name that the Sentinels have for the master: redis+sentinel://host:port,host:port/name");
      return { kind, sentinels: servers, master, database: databaseOf(database), access };
    }
    case "cluster":
      if (databaseOf(path) !== 0) throw new Error("names a database, and a Redis Cluster has none but 0");
      return { kind, nodes: servers, access };
    default:
      return kind;
  }
}
function serversOf(address) {
  switch (address.kind) {
    case "socket":
      return [];
    case "server":
      return [address.server];
    case "sentinel":
      return address.sentinels;
    case "cluster":
      return address.nodes;
    default:
      return address;
  }
}
function serverOf(entry, port) {
  const [, bracketed, host = bracketed, given] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s[\]:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (host === void 0) throw new Error("names no host, or one in another form than host:port");
  const chosen = given === void 0 ? port : Number(given);
  if (chosen < 1 || chosen > 65535) throw new Error("names a port that is none");
  return { host, port: chosen };
}
function databaseOf(path) {
  if (!/^\d{0,4}$/.test(path)) throw new Error("has something behind the host that is no number of a database");
  return Number(path);
}
function credentialsOf(text) {
  if (text === void 0 || text === "") return {};
  const colon = text.indexOf(":");
  const [user, secret] = colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  const [username, password] = [decoded(user), decoded(secret)];
  return { ...username === "" ? {} : { username }, ...password === "" ? {} : { password } };
}
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("has a % in its user or password that stands for nothing: write it as %25");
  }
}

// shared/redis/settings.ts
var local = "redis://127.0.0.1:6379";
function readRedisSettings(env) {
  const url = env.optional("REDIS_URL") ?? local;
  const coordination = readRedisAddress(env, "REDIS_URL") ?? parseRedisAddress(local);
  const isOne = (env.optional("REDIS_CACHE_URL") ?? url) === url;
  const cache = isOne ? coordination : readRedisAddress(env, "REDIS_CACHE_URL") ?? coordination;
  const [certificate] = ["REDIS_TLS_CA", "REDIS_TLS_CERT"].filter((name) => env.optional(name) !== void 0);
  if (certificate !== void 0 && [coordination, cache].every(({ access }) => access.tls === void 0))
    env.refuse(certificate, "is for an encrypted connection, and no address begins with rediss");
  return { coordination, cache };
}
function readRedisAddress(env, name) {
  const address = env.parsed(name, parseRedisAddress, { secret: true, fallback: local });
  if (address === void 0) return void 0;
  const own = name.slice(0, -"_URL".length);
  const prefixes = own === "REDIS" ? [own] : [own, "REDIS"];
  const { access } = address;
  const given = credentials(env, [own], "");
  for (const part of ["username", "password"])
    if (access[part] !== void 0 && given[part] !== void 0)
      env.refuse(`${own}_${part.toUpperCase()}`, `is given twice: ${name} holds one too`);
  const sentinel = address.kind === "sentinel" ? credentials(env, prefixes, "SENTINEL_") : {};
  return {
    ...address,
    setting: name,
    access: {
      ...access,
      ...given,
      ...Object.keys(sentinel).length === 0 ? {} : { sentinel },
      ...access.tls === void 0 ? {} : { tls: readTls(env, prefixes) }
    }
  };
}
function credentials(env, prefixes, of) {
  const [username, password] = [first(env, prefixes, `${of}USERNAME`), first(env, prefixes, `${of}PASSWORD`)];
  return { ...username && { username: username.text }, ...password && { password: password.text } };
}
function readTls(env, prefixes) {
  const [ca, cert, key] = ["TLS_CA", "TLS_CERT", "TLS_KEY"].map((name) => first(env, prefixes, name));
  for (const one of [ca, cert, key])
    if (one !== void 0 && !one.text.includes("-----BEGIN ")) env.refuse(one.name, `is no PEM: name its file with ${one.name}_FILE`);
  const alone = cert === void 0 ? key : key === void 0 ? cert : void 0;
  if (alone !== void 0) env.refuse(alone.name, "stands alone: a certificate goes with its key");
  return { ...ca && { ca: ca.text }, ...cert && { cert: cert.text }, ...key && { key: key.text } };
}
function first(env, prefixes, name) {
  for (const prefix of prefixes) {
    const text = env.optional(`${prefix}_${name}`);
    if (text !== void 0) return { name: `${prefix}_${name}`, text };
  }
  return void 0;
}

// shared/process/settings.ts
function readProcessSettings(env, defaults) {
  const settings = {
    name: env.parsed("MEMBER_NAME", parseName, { fallback: defaults.name }) ?? defaults.name,
    host: env.text("HOST_ID", hostname()),
    logLevel: env.oneOf("LOG_LEVEL", ["error", "warn", "info", "debug", "silent"], "info"),
    admin: { host: env.text("ADMIN_HOST", "127.0.0.1"), port: env.integer("ADMIN_PORT", defaults.adminPort, { min: 0, max: 65535 }) },
    redis: readRedisSettings(env),
    tracesEndpoint: readTracesEndpoint(env),
    baseUrls: {
      whatsapp: env.parsed("BASE_URL_A", parseBaseUrl, { fallback: "/whatsapp" }) ?? "/whatsapp",
      telegram: env.parsed("BASE_URL_B", parseBaseUrl, { fallback: "/telegram" }) ?? "/telegram"
    }
  };
  const prefixes = platforms.map((platform) => pathPrefix(settings.baseUrls[platform]));
  if (new Set(prefixes).size < prefixes.length)
    env.parsed(
      "BASE_URL_B",
      () => {
        throw new Error("must have another path than BASE_URL_A");
      },
      { fallback: "" }
    );
  return settings;
}
function pathPrefix(baseUrl) {
  return new URL(baseUrl, "http://localhost").pathname.replace(/\/+$/, "");
}
function readTracesEndpoint(env) {
  const [general = "", own = ""] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"].map(
    (name) => env.parsed(name, parseEndpoint, { fallback: "", secret: true })
  );
  const isOff = env.text("OTEL_SDK_DISABLED", "false").toLowerCase() === "true";
  if (isOff || own === "" && general === "") return void 0;
  return own === "" ? `${general.replace(/\/+$/, "")}/v1/traces` : own;
}
function parseEndpoint(text) {
  if (text !== "" && !(/^https?:\/\//.test(text) && URL.canParse(text))) throw new Error("must be an http or https URL");
  return text;
}
function parseName(text) {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(text)) throw new Error("must be a lower-case name of letters, digits and dashes");
  return text;
}
function parseBaseUrl(text) {
  const absolute2 = /^https?:\/\//.test(text);
  if (!absolute2 && !text.startsWith("/")) throw new Error("must be a path or an http(s) URL");
  if (absolute2 && !URL.canParse(text)) throw new Error("must be a URL");
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(pathPrefix(text))) throw new Error("must have a plain path");
  return text.replace(/\/+$/, "");
}

// shared/config/router-shutdown.ts
function readRouterShutdown(env) {
  const most = { min: 0, max: 3600 };
  return {
    delayMs: env.integer("SHUTDOWN_DELAY_SECONDS", 0, most) * 1e3,
    graceMs: env.integer("SHUTDOWN_GRACE_SECONDS", 30, most) * 1e3
  };
}

// shared/config/telegram-app.ts
function readTelegramApp(env) {
  if (env.optional("TELEGRAM_API_ID") === void 0 && env.optional("TELEGRAM_API_HASH") === void 0) return void 0;
  env.text("TELEGRAM_API_ID");
  return { apiId: readTelegramApiId(env, 0), apiHash: env.text("TELEGRAM_API_HASH") };
}
function readTelegramApiId(env, fallback) {
  return env.integer("TELEGRAM_API_ID", fallback, { min: 1, max: 2 ** 31 - 1 });
}

// deploy/supervisor/settings.ts
function readSupervisorSettings(environment, args = []) {
  const strange = args.find((arg) => arg !== joinFlag);
  if (strange !== void 0) throw new ConfigError([`${strange} is no argument of a start: there is ${joinFlag} alone`]);
  const joins = args.includes(joinFlag);
  const env = new EnvReader({ ...environment, LOG_LEVEL: environment["LOG_LEVEL"] || "warn" });
  const port = { min: 1, max: 65535 };
  const { host, logLevel, admin, redis, baseUrls } = readProcessSettings(env, { name: "supervisor", adminPort: 9090 });
  const ports2 = {
    http: env.integer("PORT", 8080, port),
    admin: admin.port,
    sandbox: env.integer("SANDBOX_PORT", 8090, { min: 1, max: 65e3 })
  };
  const isAllInOne = env.optional("ROUTERS") === void 0 && env.optional("SHARDS") === void 0;
  const [routers, shards] = [
    env.integer("ROUTERS", 1, { min: 1, max: 64 }),
    env.integer("SHARDS", isAllInOne ? 1 : 2, { min: 1, max: 64 })
  ];
  const platforms2 = env.oneOf("PLATFORMS", ["sandbox", "live"], "sandbox");
  const isLive = platforms2 === "live";
  const settings = {
    ports: ports2,
    routers,
    shards,
    isAllInOne,
    platforms: platforms2,
    sandboxHost: env.parsed("SANDBOX_HOST", oneAddress, { fallback: loopback }) ?? loopback,
    telegramApiId: isLive ? readTelegramApp(env)?.apiId : readTelegramApiId(env, sandboxApiId),
    dataDir: resolve(env.text("DATA_DIR", ".data")),
    joins,
    prefix: joins ? env.parsed("HOST_ID", prefixOf, { fallback: host }) ?? "" : "",
    redisUrl: joins ? env.text("REDIS_URL") : env.optional("REDIS_URL"),
    redisCacheUrl: env.optional("REDIS_CACHE_URL"),
    shared: { host, logLevel, admin, redis, baseUrls },
    routerShutdown: readRouterShutdown(env),
    timing: readClusterTiming(env, { onSandbox: !isLive })
  };
  const clash = portClash(settings);
  if (clash !== void 0)
    env.parsed(
      "ADMIN_PORT",
      () => {
        throw new Error(clash);
      },
      { fallback: "", secret: true }
    );
  if (env.optional("CRED_KEYS") !== void 0) env.keyRing("CRED_KEYS");
  if (env.optional("API_KEYS") !== void 0) env.parsed("API_KEYS", readApiKeys, { secret: true });
  if (env.optional("MEDIA_KEYS") !== void 0) env.keyRing("MEDIA_KEYS");
  env.finish();
  return {
    settings,
    given: { apiKeys: env.optional("API_KEYS"), credKeys: env.optional("CRED_KEYS"), mediaKeys: env.optional("MEDIA_KEYS") }
  };
}
var sandboxApiId = 12345;
var joinFlag = "--join";
var prefixMax = 50;
function prefixOf(host) {
  const plain = host.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  if (plain === "" || plain.length > prefixMax)
    throw new Error(`must have 1 to ${prefixMax} letters and digits, for the names of its processes`);
  return `${plain}-`;
}
var loopback = "127.0.0.1";
function oneAddress(text) {
  if (!isIPv4(text) || text === "0.0.0.0") throw new Error("must be an IPv4 address of this machine, at which the other hosts reach it");
  return text;
}
function ownSandbox({ sandboxHost, ports: ports2 }) {
  return `http://${sandboxHost}:${ports2.sandbox}`;
}
function memberName({ prefix }, kind, index) {
  return `${prefix}${kind}-${index + 1}`;
}
function plannedPorts(settings) {
  const { ports: ports2, routers, shards } = settings;
  return [
    ...count(routers).map((i) => ({ port: ports2.http + i, owner: memberName(settings, "router", i) })),
    ...count(routers).map((i) => ({ port: ports2.admin + i, owner: `admin of ${memberName(settings, "router", i)}` })),
    ...count(shards).map((i) => ({ port: ports2.admin + routers + i, owner: `admin of ${memberName(settings, "shard", i)}` })),
    { port: ownAdminPort(settings), owner: "admin of supervisor" },
    ...runsSandbox(settings) ? sandboxPorts(ports2.sandbox) : []
  ];
}
function runsSandbox({ platforms: platforms2, joins }) {
  return platforms2 === "sandbox" && !joins;
}
function ownAdminPort({ ports: ports2, routers, shards }) {
  return ports2.admin + routers + shards;
}
function sandboxPorts(control) {
  return [
    { port: control, owner: "sandbox" },
    ...count(3).map((i) => ({ port: control + 11 + i, owner: `data centre ${i + 1} of the sandbox` }))
  ];
}
function count(length) {
  return Array.from({ length }, (_, i) => i);
}
function portClash(settings) {
  if (settings.ports.admin === 0) return "must be a port, because further processes count up from it";
  const owners = /* @__PURE__ */ new Map();
  for (const { port, owner } of plannedPorts(settings)) {
    const other = owners.get(port);
    if (other !== void 0) return `with PORT and SANDBOX_PORT gives ${port} to both ${other} and ${owner}`;
    if (port > 65535) return `with PORT and SANDBOX_PORT leaves no port for ${owner}`;
    owners.set(port, owner);
  }
  return void 0;
}

// deploy/supervisor/plan-children.ts
import { createHash } from "node:crypto";

// deploy/all-in-one/router-environment.ts
var ofRouter = { MEMBER_NAME: "ROUTER_MEMBER_NAME", ADMIN_PORT: "ROUTER_ADMIN_PORT" };
function sharedEnvironment(router, shard2) {
  return { ...router, ...shard2, ...Object.fromEntries(Object.entries(ofRouter).map(([name, to]) => [to, router[name]])) };
}

// deploy/supervisor/process-start.ts
import { fileURLToPath } from "node:url";

// shared/process/memory-limit.ts
import { totalmem } from "node:os";
function memoryLimit(host = totalmem(), constrained = process.constrainedMemory?.() ?? 0) {
  return constrained > 0 ? Math.min(constrained, host) : host;
}

// deploy/supervisor/process-start.ts
var common = ["--enable-source-maps", "--initial-old-space-size=128"];
function semiSpaceMiB(memoryBytes) {
  const share = memoryBytes / 1024 ** 3;
  return share >= 64 ? 64 : share >= 32 ? 32 : 16;
}
var shard = [...common, `--max-semi-space-size=${semiSpaceMiB(memoryLimit())}`];
var nodeArguments = {
  router: common,
  shard,
  "deploy/all-in-one": shard,
  "test/sandbox": common
};
function processStart(kind) {
  return { entry: fileURLToPath(new URL(`../../${kind}/main.js`, import.meta.url)), nodeArguments: nodeArguments[kind] };
}

// deploy/supervisor/plan-children.ts
function planChildren(facts) {
  const planned = planEach(facts);
  const [router, shard2] = [planned.routers[0], planned.shards[0]];
  if (!facts.settings.isAllInOne || router === void 0 || shard2 === void 0) return { ...planned, allInOne: void 0 };
  return { ...planned, allInOne: inOne(facts.settings, router, shard2) };
}
function inOne({ prefix }, router, shard2) {
  return {
    name: `${prefix}gateway-1`,
    where: `${router.where}; ${shard2.where}`,
    ...processStart("deploy/all-in-one"),
    // Its router stops first, then its shard.
    stopMs: router.stopMs + shard2.stopMs,
    env: () => sharedEnvironment(router.env(), shard2.env())
  };
}
function planEach(facts) {
  const { settings, secrets, environment, redisUrl, redisCacheUrl } = facts;
  const { ports: ports2, routers, shards, platforms: platforms2, dataDir, shared, routerShutdown } = settings;
  const common2 = {
    // SANDBOX_URL is removed, because only the supervisor of the sandbox knows its address.
    ...without(environment, ["API_KEYS", "CRED_KEYS", "MEDIA_KEYS", "SANDBOX_URL", ...foreignPasswords(settings)]),
    DATA_DIR: dataDir,
    LOG_LEVEL: shared.logLevel,
    PLATFORMS: platforms2,
    REDIS_URL: redisUrl,
    REDIS_CACHE_URL: redisCacheUrl,
    BASE_URL_A: absolute(shared.baseUrls.whatsapp, ports2.http),
    BASE_URL_B: absolute(shared.baseUrls.telegram, ports2.http)
  };
  const keys = { CRED_KEYS: secrets.credKeys, MEDIA_KEYS: secrets.mediaKeys };
  const egress = egressAddresses(settings);
  const onSandbox = platforms2 === "sandbox";
  return {
    sandbox: runsSandbox(settings) ? {
      name: "sandbox",
      where: `port ${ports2.sandbox}`,
      ...processStart("test/sandbox"),
      stopMs: 5e3,
      env: () => ({ ...without(common2, [...ofRedis, "TELEGRAM_API_HASH"]), SANDBOX_PORT: String(ports2.sandbox) })
    } : void 0,
    shards: count(shards).map((i) => {
      const admin = ports2.admin + routers + i;
      const own = {
        ...common2,
        ...keys,
        MEMBER_NAME: memberName(settings, "shard", i),
        ADMIN_PORT: String(admin),
        WEBHOOK_DENY: environment["WEBHOOK_DENY"] || ownServers(settings)
      };
      return {
        name: own.MEMBER_NAME,
        where: `admin port ${admin}`,
        ...processStart("shard"),
        stopMs: shardStopMs,
        env: () => onSandbox ? { ...own, ...sandboxAccess(facts), ...isOnLoopback(facts) ? { EGRESS_ADDRESS: egress.next().value } : {} } : own
      };
    }),
    routers: count(routers).map((i) => {
      const [http, admin] = [ports2.http + i, ports2.admin + i];
      const own = {
        ...common2,
        ...keys,
        API_KEYS: secrets.apiKeys,
        MEMBER_NAME: memberName(settings, "router", i),
        PORT: String(http),
        ADMIN_PORT: String(admin),
        ...engineLimits
      };
      return {
        name: own.MEMBER_NAME,
        where: `port ${http}, admin port ${admin}`,
        ...processStart("router"),
        stopMs: routerStopMs(routerShutdown),
        // The console controls the sandbox's phones.
        env: () => onSandbox ? { ...own, SANDBOX_URL: controlOf(facts) } : own
      };
    })
  };
}
function ownServers({ ports: ports2, routers, shards, sandboxHost }) {
  const listening = [
    ...count(routers).map((i) => ports2.http + i),
    ...count(routers + shards + 1).map((i) => ports2.admin + i),
    ports2.sandbox
  ];
  return [...listening.map((port) => `127.0.0.1:${port}`), `${sandboxHost}:${ports2.sandbox}`].filter(isFirst).join(",");
}
function isFirst(entry, at, all) {
  return all.indexOf(entry) === at;
}
var shardStopMs = 45e3;
function routerStopMs({ delayMs, graceMs }) {
  return delayMs + graceMs + 5e3;
}
function without(environment, names) {
  const secret = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secret.has(name)));
}
var ofRedis = ["REDIS", "REDIS_CACHE"].flatMap(
  (prefix) => ["URL", "PASSWORD", "SENTINEL_PASSWORD", "TLS_KEY"].map((name) => `${prefix}_${name}`)
);
function foreignPasswords({ redisUrl, redisCacheUrl }) {
  const prefixes = [...redisUrl === void 0 ? ["REDIS"] : [], ...redisCacheUrl === void 0 ? ["REDIS_CACHE"] : []];
  return prefixes.flatMap((prefix) => [`${prefix}_USERNAME`, `${prefix}_PASSWORD`]);
}
var engineLimits = { UWS_HTTP_MAX_HEADERS_SIZE: "16384" };
function absolute(baseUrl, port) {
  return baseUrl.startsWith("/") ? `http://127.0.0.1:${port}${baseUrl}` : baseUrl;
}
function sandboxAccess(facts) {
  const { settings, environment, sandbox } = facts;
  const { telegram, whatsapp } = sandbox();
  return {
    TELEGRAM_API_ID: String(settings.telegramApiId),
    TELEGRAM_API_HASH: environment["TELEGRAM_API_HASH"] || "0123456789abcdef0123456789abcdef",
    // The shard itself denies the platforms' addresses.
    WEBHOOK_DENY: environment["WEBHOOK_DENY"] || [ownServers(settings), ...whatsapp?.mediaHost === void 0 ? [] : [whatsapp.mediaHost]].join(","),
    DOWNLOAD_ALLOW: environment["DOWNLOAD_ALLOW"] || `${new URL(controlOf(facts)).host}/files/`,
    ...telegram === void 0 ? {} : { TELEGRAM_DC_MAP: telegram.dcMap, TELEGRAM_SERVER_KEYS: telegram.publicKeyPath },
    ...whatsapp === void 0 ? {} : { WHATSAPP_URL: whatsapp.url, WHATSAPP_ROOT_KEY: whatsapp.rootKeyPath, WHATSAPP_MEDIA_CA: whatsapp.mediaCaPath }
  };
}
function isOnLoopback(facts) {
  return facts.system === "linux" && new URL(controlOf(facts)).hostname.startsWith("127.");
}
function controlOf({ settings, sandbox }) {
  return sandbox().control ?? ownSandbox(settings);
}
function* egressAddresses({ prefix }) {
  const network = prefix === "" ? 0 : 1 + (createHash("sha256").update(prefix).digest()[0] ?? 0) % 200;
  for (; ; ) {
    for (const block2 of count(250)) for (const host of count(254)) yield `127.${network}.${block2 + 1}.${host + 1}`;
  }
}

// shared/media/link.ts
import { createHmac as createHmac2, hkdfSync, timingSafeEqual } from "node:crypto";

// shared/contract/ids.ts
var databaseId = /^[0-9a-f]{24}$/;
function isSessionId(value) {
  return databaseId.test(value);
}

// shared/contract/media.ts
var mediaVariants = ["photo", "thumb", "file", "profile"];

// shared/media/link.ts
var LinkKeys = class _LinkKeys {
  constructor(keys) {
    this.keys = keys;
  }
  keys;
  /** Text form as in `parseKeyRing`: `a:<base64 of 32 bytes>,b:…`. Throws a sentence without key material. */
  static parse(text) {
    return new _LinkKeys(parseKeyRing(text));
  }
  /** Fingerprint of each key, from which the key cannot be derived. */
  get fingerprints() {
    return Object.fromEntries(
      [...this.keys].map(([name, key]) => [name, createHmac2("sha256", key).update("v1|fingerprint").digest("base64url").slice(0, 16)])
    );
  }
  /** Returns a key for another purpose from each key, under the same name and in the same order. */
  derive(purpose) {
    const info = `v1|${purpose}`;
    return new Map([...this.keys].map(([name, key]) => [name, Buffer.from(hkdfSync("sha256", key, "", info, 32))]));
  }
  /** The path after the platform's prefix: `/media/<session>/<chat>/<message>/<variant>/<signature>.<ext>`. */
  sign(session, { chatId, messageId, variant }, ext) {
    const parts = { session, chatId, messageId, variant, ext };
    const [name] = this.keys.keys();
    if (name === void 0 || !wellFormed(parts)) throw new Error("media address cannot be signed");
    return `/media/${session}/${chatId}/${messageId}/${variant}/${this.signature(name, parts)}.${ext}`;
  }
  /**
   * The address that a link names, `undefined` when any part was altered. Texts are compared, not decoded bytes: the last
   * base64url character has two spare bits, which decoding would forgive. Always one HMAC, whatever is wrong.
   */
  verify(parts) {
    const expected = Buffer.from(this.signature(parts.signature.slice(0, 1), parts), "latin1");
    const given = Buffer.alloc(expected.length);
    given.write(parts.signature, "latin1");
    const equal = timingSafeEqual(expected, given);
    const { chatId, messageId, variant } = parts;
    if (!equal || parts.signature.length !== expected.length || !this.keys.has(parts.signature.slice(0, 1))) return void 0;
    return wellFormed(parts) && isVariant(variant) ? { chatId, messageId, variant } : void 0;
  }
  signature(name, { session, chatId, messageId, variant, ext }) {
    const text = `v1|${session}|${chatId}|${messageId}|${variant}|${ext}`;
    const mac = createHmac2("sha256", this.keys.get(name) ?? unknownKey).update(text).digest();
    return (this.keys.has(name) ? name : "-") + mac.subarray(0, 20).toString("base64url");
  }
};
var unknownKey = Buffer.alloc(32);
var number = /^-?[0-9]{1,20}$/;
var extension = /^[a-z0-9]{1,8}$/;
function wellFormed({ session, chatId, messageId, variant, ext }) {
  return isSessionId(session) && number.test(chatId) && number.test(messageId) && isVariant(variant) && extension.test(ext);
}
function isVariant(value) {
  return mediaVariants.some((variant) => variant === value);
}

// router/http/caller-addresses.ts
import { BlockList, isIP, SocketAddress } from "node:net";
var TrustedProxies = class _TrustedProxies {
  constructor(list, isEmpty) {
    this.list = list;
    this.isEmpty = isEmpty;
  }
  list;
  isEmpty;
  static none = new _TrustedProxies(new BlockList(), true);
  /** Parses the setting. Throws an error with a sentence for the operator. */
  static parse(text) {
    if (text === "") return _TrustedProxies.none;
    const list = new BlockList();
    for (const entry of text.split(",")) {
      const [, network = "", bits] = /^\s*([\d.]+|[\da-f.:]+)(?:\/(\d{1,3}))?\s*$/i.exec(entry) ?? [];
      const version = isIP(network);
      const width = version === 4 ? 32 : 128;
      if (version === 0 || Number(bits ?? width) > width) throw new Error("must be a list of addresses or networks such as 10.0.0.0/8");
      list.addSubnet(network, Number(bits ?? width), version === 4 ? "ipv4" : "ipv6");
    }
    return new _TrustedProxies(list, false);
  }
  has({ address, family }) {
    return this.list.check(address, family);
  }
};

// shared/process/trace/traceparent.ts
var noTrace = "0".repeat(32);
var noSpan = "0".repeat(16);

// router/http/request-id.ts
var idBytes = 16;
var random = Buffer.alloc(256 * idBytes);
var used2 = random.length;

// router/http/request.ts
function singleHeader({ headers }, name) {
  const values = headers.get(name);
  return values?.length === 1 ? values[0] : void 0;
}

// shared/contract/api-error.ts
var ApiError = class extends Error {
  constructor(status, message, options = {}) {
    super(message, options.cause === void 0 ? void 0 : { cause: options.cause });
    this.status = status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.replayed = options.replayed === true;
  }
  status;
  name = "ApiError";
  /** Seconds, sent as `Retry-After`. */
  retryAfterSeconds;
  /** True if this is the stored reply to an earlier request with the same `Idempotency-Key`. */
  replayed;
};

// shared/limits.ts
var qrValidityMs = 3 * 6e4;
var passkeyWaitMs = 11 * 6e4;
var passwordWaitMs = 30 * 6e4;
var disconnectedMs = 30 * 6e4;
var descriptionCacheMs = 5 * 6e4;
var chunkBytes = 512 * 1024;
var sentContentMs = 24 * 36e5;
var bodyMaxBytes = 64 * 1024;
var idempotencyMs = 24 * 36e5;
var passingSealedMs = 25 * 36e5;
var replyInlineMaxBytes = 32 * 1024;
var replyMaxBytes = 64 * 1024 * 1024;
var outboxMaxBytes = 16 * 1024 * 1024;
var historyMessagesMax = 2e3;
var deadLetterMs = 7 * 24 * 36e5;

// shared/contract/errors.ts
var sessionNotConnected = (cause) => new ApiError(500, "session not connected", { cause });
var sessionNotActive = () => new ApiError(500, "session not found");
var sendTimeout = () => new ApiError(500, "send timeout after 240s");
var internal = (cause) => new ApiError(500, "internal server error", { cause });
var accountRestricted = (waitMs) => new ApiError(429, "account is restricted: only people who have written to it can get messages", {
  retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1e3))
});

// router/http/error-code.ts
var restricted = accountRestricted(0);
var bySentence = /* @__PURE__ */ new Map([
  [internal().message, "internal"],
  [sessionNotConnected().message, "session-not-connected"],
  [sessionNotActive().message, "session-not-ready"],
  [sendTimeout().message, "send-timeout"]
]);

// router/http/response.ts
var PreparedHeaders = class {
  name;
  /** Value of the first header, followed by all further lines. */
  value;
  /** Throws if a text could break out of its line. Must not be empty. */
  constructor(headers) {
    const [first2, ...others] = Object.entries(headers);
    if (first2 === void 0 || Object.entries(headers).flat().some((text) => /[\u0000-\u001f\u007f]/.test(text)))
      throw new Error("headers cannot be prepared");
    this.name = first2[0];
    this.value = first2[1] + others.map(([name, value]) => `\r
${name}: ${value}`).join("");
  }
};
var engineBufferBytes = 16 * 1024 + 1;

// router/http/cors.ts
var Cors = class _Cors {
  constructor(any, byOrigin) {
    this.any = any;
    this.byOrigin = byOrigin;
  }
  any;
  byOrigin;
  /**
   * Parses the setting; `undefined` if it is empty, so that no response has CORS headers. Throws an error with a sentence for the
   * operator.
   */
  static parse(text) {
    if (text.trim() === "") return void 0;
    if (text.trim() === "*") return new _Cors(new PreparedHeaders({ "Access-Control-Allow-Origin": "*", ...exposed }), /* @__PURE__ */ new Map());
    const origins = text.split(",").map((entry) => entry.trim());
    if (origins.length > originsMax || !origins.every(isOrigin))
      throw new Error(`must be * or a list of at most ${originsMax} origins such as https://app.example.com`);
    return new _Cors(void 0, new Map(origins.map((origin) => [origin, linesOfOrigin(origin)])));
  }
  /** Returns the header lines for every response to such a request. */
  linesFor(headers) {
    return this.any ?? this.byOrigin.get(singleHeader({ headers }, "origin") ?? "") ?? foreignOriginLines;
  }
  /** Returns whether the calling page may read the response. */
  admits(headers) {
    return this.linesFor(headers) !== foreignOriginLines;
  }
  /** Returns the extra headers of a preflight response; none for other requests. */
  preflight(headers, methods) {
    if (!headers.has("origin") || !headers.has("access-control-request-method") || !this.admits(headers)) return {};
    return preflightLines(methods, requestHeaders);
  }
};
var originsMax = 100;
function isOrigin(text) {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
var requestHeaders = [
  "content-type",
  "id",
  "session-id",
  "passkey-token",
  "x-api-key",
  "idempotency-key",
  "x-request-id",
  "traceparent",
  "range",
  "if-range",
  "if-none-match",
  "last-event-id"
];
var exposedHeaders = [
  "x-request-id",
  "x-error-code",
  "x-platform-error",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "idempotency-replayed",
  "allow",
  "accept-ranges",
  "content-disposition",
  "content-encoding",
  "content-length",
  "content-range",
  "etag"
];
var exposed = { "Access-Control-Expose-Headers": exposedHeaders.join(", ") };
var differs = { Vary: "Origin" };
var linesOfOrigin = (origin) => new PreparedHeaders({ "Access-Control-Allow-Origin": origin, ...exposed, ...differs });
var foreignOriginLines = new PreparedHeaders(differs);
function preflightLines(methods, sent) {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": sent.join(", "),
    "Access-Control-Max-Age": "600"
  };
}

// router/http/limits.ts
var defaultHttpLimits = {
  connections: 5e4,
  requests: 5e3,
  newcomers: 4e3,
  // Callers behind one balancer share its address, and a burst of them waits here while Redis is read for each.
  newcomersPerAddress: 3e3,
  bodyBytes: bodyMaxBytes,
  compression: { atOnce: 2, bytes: 16 * 1024 * 1024 },
  slowReader: { bytesPerSecond: 8 * 1024, windowMs: 6e4 }
};

// router/tenant/configured-keys.ts
import { timingSafeEqual as timingSafeEqual2 } from "node:crypto";

// shared/contract/tenant.ts
var defaultTenant = "default";

// router/tenant/api-key.ts
import { createHash as createHash2, randomBytes } from "node:crypto";
function hashOfKey(key) {
  return createHash2("sha256").update(key).digest();
}

// router/tenant/configured-keys.ts
var ConfiguredKeys = class _ConfiguredKeys {
  constructor(entries) {
    this.entries = entries;
  }
  entries;
  static of(keys) {
    return new _ConfiguredKeys(
      keys.map(({ role, key }, index) => {
        const keyId = `configured-${index + 1}`;
        return {
          principal: role === "admin" ? { keyId, role } : { keyId, role, tenant: defaultTenant, incarnation: "" },
          hash: hashOfKey(key)
        };
      })
    );
  }
  /** See `parseApiKeys`. */
  static parse(text) {
    return _ConfiguredKeys.of(parseApiKeys(text));
  }
  get isOpen() {
    return this.entries.length === 0;
  }
  has(keyId) {
    return this.entries.some(({ principal }) => principal.keyId === keyId);
  }
  /** Compares with every key, so that timing reveals nothing. A key that is listed twice has the greater role. */
  find(key) {
    const given = hashOfKey(key);
    let found;
    for (const { principal, hash } of this.entries) if (timingSafeEqual2(hash, given) && found?.role !== "admin") found = principal;
    return found;
  }
};

// router/config.ts
function readRouterSettings(environment) {
  const env = new EnvReader(environment);
  const common2 = readProcessSettings(env, { name: "router-1", adminPort: 9090 });
  const settings = {
    ...common2,
    timing: readClusterTiming(env, { onSandbox: env.optional("SANDBOX_URL") !== void 0 }),
    http: {
      host: env.text("HOST", "127.0.0.1"),
      port: env.integer("PORT", 8080, { min: 0, max: 65535 }),
      trustedProxies: env.parsed("TRUSTED_PROXIES", (text) => TrustedProxies.parse(text), { fallback: "" }) ?? TrustedProxies.none,
      cors: env.parsed("CORS_ORIGINS", (text) => Cors.parse(text), { fallback: "" })
    },
    shutdown: readRouterShutdown(env),
    newcomersPerAddress: env.integer("NEWCOMERS_PER_ADDRESS", defaultHttpLimits.newcomersPerAddress, {
      min: 1,
      max: defaultHttpLimits.newcomers
    }),
    failedAuthPerMinute: env.integer("FAILED_AUTH_PER_MINUTE", 10, { min: 1, max: 1e6 }),
    chunkMemoryBytes: env.integer("CHUNK_MEMORY_MIB", 256, { min: 1, max: 65536 }) * 1024 * 1024,
    // Each stream may hold two chunks of 512 KiB: 400 MiB.
    mediaStreams: env.integer("MEDIA_STREAMS", 400, { min: 1, max: 5e4 }),
    describesApi: env.oneOf("API_DOCS", ["1", "0"], "1") === "1",
    sandboxUrl: env.optional("SANDBOX_URL")
  };
  const credentialRing = env.keyRing("CRED_KEYS");
  const linkKeys = env.parsed("MEDIA_KEYS", (text) => LinkKeys.parse(text), { secret: true });
  const configuredKeys = env.parsed("API_KEYS", (text) => ConfiguredKeys.of(readApiKeys(text)), { secret: true, fallback: "" });
  env.finish();
  return {
    settings,
    secrets: { credentialRing: required(credentialRing), linkKeys: required(linkKeys), configuredKeys: required(configuredKeys) }
  };
}

// shared/tenant/tenant-pace.ts
var paceMost = { sendsPerMinute: 6e3, newContactsPerHour: 3600 };

// shard/tenant/pace/read-pace.ts
var sends = { name: "PACE_SENDS", most: paceMost.sendsPerMinute, careful: 30, burst: 10 };
var newContacts = { name: "PACE_NEW_CONTACTS", most: paceMost.newContactsPerHour, careful: 20, burst: 5 };
function readPace(env) {
  const [sendsPace, newContactsPace] = [readOne(env, sends), readOne(env, newContacts)];
  return (isLive) => ({ sends: sendsPace(isLive), newContacts: newContactsPace(isLive) });
}
function readOne(env, { name, most, careful, burst: usual }) {
  const given = env.optional(name) === void 0 ? void 0 : env.integer(name, careful, { min: 0, max: most });
  const burst = env.integer(`${name}_BURST`, usual, { min: 1, max: 1e3 });
  return (isLive) => ({ count: given ?? (isLive ? careful : 0), burst });
}

// shard/whatsapp/shown-device.ts
var browsers = ["Chrome", "Edge", "Firefox", "Opera", "Safari"];
var defaultDevice = { name: "Ubuntu", browser: "Chrome" };

// shard/whatsapp/version/parse-version.ts
function parseVersion(text) {
  const [, major, minor, revision] = /^(\d{1,3})\.(\d{1,5})\.(\d{1,10})$/.exec(text) ?? [];
  const version = [Number(major), Number(minor), Number(revision)];
  if (!version.every((part) => part <= partMax)) throw new Error("must be a version of the web client, such as 2.3000.1043857760");
  return version;
}
function parseVersionUrl(text) {
  if (text === "off") return void 0;
  const url = URL.canParse(text) ? new URL(text) : void 0;
  const isSafe = url?.protocol === "https:" || url?.protocol === "http:" && /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname);
  if (url === void 0 || !isSafe || url.username !== "" || url.password !== "")
    throw new Error("must be off or an https URL without a login (http on this machine)");
  return url;
}
var partMax = 2 ** 32 - 1;

// shard/config.ts
function readShardSettings(environment) {
  const env = new EnvReader(environment);
  const common2 = readProcessSettings(env, { name: "shard-1", adminPort: 9091 });
  const whatsappUrl = env.optional("WHATSAPP_URL") === void 0 ? void 0 : env.parsed("WHATSAPP_URL", parseSocketUrl);
  const paceOn = readPace(env);
  const isLive = { whatsapp: !isOwnServer(whatsappUrl), telegram: env.optional("TELEGRAM_DC_MAP") === void 0 };
  const youngDays = env.optional("YOUNG_DAYS") === void 0 ? void 0 : env.integer("YOUNG_DAYS", 0, { min: 0, max: 3650 });
  const youngMsOn = (live) => (youngDays ?? (live ? youngDaysLive : 0)) * dayMs;
  const dcMap = env.parsed("TELEGRAM_DC_MAP", parseMap, { fallback: "" }) ?? /* @__PURE__ */ new Map();
  const settings = {
    ...common2,
    timing: readClusterTiming(env, { onSandbox: !isLive.whatsapp && !isLive.telegram }),
    weight: env.integer("WEIGHT", 1, { min: 1, max: 100 }),
    dataDir: env.text("DATA_DIR", ".data"),
    telegram: {
      app: readTelegramApp(env),
      dcMap,
      serverKeysPath: env.optional("TELEGRAM_SERVER_KEYS"),
      device: {
        deviceModel: env.parsed("TELEGRAM_DEVICE_MODEL", parseShownName, { fallback: "Trunkline" }) ?? "",
        systemVersion: env.parsed("TELEGRAM_SYSTEM_VERSION", parseShownName, { fallback: "1.0" }) ?? "",
        appVersion: env.parsed("TELEGRAM_APP_VERSION", parseShownName, { fallback: "1.0" }) ?? ""
      }
    },
    whatsapp: {
      url: whatsappUrl,
      rootKeyPath: env.optional("WHATSAPP_ROOT_KEY"),
      mediaCaPath: env.optional("WHATSAPP_MEDIA_CA"),
      device: {
        name: env.parsed("WHATSAPP_DEVICE_NAME", parseShownName, { fallback: defaultDevice.name }) ?? defaultDevice.name,
        browser: env.oneOf("WHATSAPP_DEVICE_BROWSER", browsers, defaultDevice.browser)
      },
      version: env.optional("WHATSAPP_VERSION") === void 0 ? void 0 : env.parsed("WHATSAPP_VERSION", parseVersion),
      // A private server does not show which versions the live platform accepts.
      versionUrl: env.parsed("WHATSAPP_VERSION_URL", parseVersionUrl, { fallback: isOwnServer(whatsappUrl) ? "off" : newestVersionUrl })
    },
    pace: { whatsapp: paceOn(isLive.whatsapp), telegram: paceOn(isLive.telegram) },
    youngMs: { whatsapp: youngMsOn(isLive.whatsapp), telegram: youngMsOn(isLive.telegram) },
    egressAddress: env.optional("EGRESS_ADDRESS"),
    proxyAllow: env.parsed("PROXY_ALLOW", parseHostPorts, { fallback: "" }) ?? [],
    downloadAllow: env.parsed("DOWNLOAD_ALLOW", parseServerPaths, { fallback: "" }) ?? [],
    downloadPorts: env.parsed("DOWNLOAD_PORTS", parsePorts, { fallback: "" }) ?? [],
    ffmpegPath: env.text("FFMPEG_PATH", "ffmpeg"),
    aofRewrite: {
      intervalMs: env.integer("AOF_REWRITE_HOURS", 24, { min: 0, max: 8760 }) * 36e5,
      commandAddress: env.optional("REDIS_REWRITE_URL") === void 0 ? void 0 : readRedisAddress(env, "REDIS_REWRITE_URL")
    },
    historyMessages: env.integer("HISTORY_MESSAGES", 200, { min: 0, max: historyMessagesMax }),
    replicaWaitMs: env.integer("REDIS_REPLICA_WAIT_MS", 500, { min: 0, max: 2e3 }),
    webhook: {
      allowPrivate: env.oneOf("WEBHOOK_ALLOW_PRIVATE", ["1", "0"], "1") === "1",
      own: [
        ...env.parsed("WEBHOOK_DENY", parseHostPorts, { fallback: "" }) ?? [],
        `${common2.admin.host}:${common2.admin.port}`,
        // No webhook may reach a private platform server, such as the sandbox.
        ...dcMap.values(),
        ...isOwnServer(whatsappUrl) ? [hostPortOf(whatsappUrl)] : [],
        ...[common2.redis.coordination, common2.redis.cache].flatMap(serversOf).map(({ host, port }) => `${host}:${port}`)
      ]
    }
  };
  const credentialRing = env.keyRing("CRED_KEYS");
  const linkKeys = env.parsed("MEDIA_KEYS", (text) => LinkKeys.parse(text), { secret: true });
  const { url, rootKeyPath } = settings.whatsapp;
  if (rootKeyPath !== void 0 && !isOwnServer(url))
    env.refuse(
      "WHATSAPP_ROOT_KEY",
      "is for a server of one's own, such as the sandbox, and WHATSAPP_URL names none: the real platform has its own key"
    );
  env.finish();
  return { settings, secrets: { credentialRing: required(credentialRing), linkKeys: required(linkKeys) } };
}
var dayMs = 864e5;
var youngDaysLive = 14;
var newestVersionUrl = "https://web.whatsapp.com/sw.js";
function isOwnServer(url) {
  return url !== void 0 && URL.canParse(url) && !/(^|\.)whatsapp\.(com|net)$/.test(new URL(url).hostname);
}
function hostPortOf(text) {
  const { hostname: hostname2, port, protocol } = new URL(text);
  return `${hostname2}:${port === "" ? /^(wss|https):$/.test(protocol) ? "443" : "80" : port}`;
}
function parseShownName(text) {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._()+-]{0,31}$/u.test(text) || text.endsWith(" "))
    throw new Error("must be a name of up to 32 letters, digits, spaces and . _ ( ) + -");
  return text;
}
function parseSocketUrl(text) {
  if (!/^wss?:\/\//.test(text) || !URL.canParse(text)) throw new Error("must be a ws or wss URL");
  return text;
}
function parseHostPorts(text) {
  const entries = entriesOf(text);
  if (!entries.every((entry) => isHostPort(entry))) throw new Error("must be a list of host:port");
  return entries;
}
function parseServerPaths(text) {
  const entries = entriesOf(text);
  if (!entries.every((entry) => isHostPort(entry.replace(/\/([\w.~-]+\/)*$/, ""))))
    throw new Error("must be a list of host:port or host:port/path/");
  return entries;
}
function parsePorts(text) {
  const ports2 = entriesOf(text).map((entry) => /^\d{1,5}$/.test(entry) ? Number(entry) : 0);
  if (!ports2.every((port) => port >= 1 && port <= 65535)) throw new Error("must be a list of ports from 1 to 65535");
  return ports2;
}
function entriesOf(text) {
  return text === "" ? [] : text.split(",").map((entry) => entry.trim());
}
function isHostPort(text) {
  return /^(\[[0-9a-f:.]+\]|[^\s:/@]+):\d{1,5}$/i.test(text);
}
function parseMap(text) {
  const map = /* @__PURE__ */ new Map();
  for (const entry of text.split(",").filter((part) => part.trim() !== "")) {
    const match = /^\s*([^=\s]+)=([^=\s]+:\d{1,5})\s*$/.exec(entry);
    if (match?.[1] === void 0 || match[2] === void 0) throw new Error("must be a list of address=host:port");
    map.set(match[1], match[2]);
  }
  return map;
}
export {
  ConfigError,
  planChildren,
  plannedPorts,
  readRouterSettings,
  readShardSettings,
  readSupervisorSettings
};
