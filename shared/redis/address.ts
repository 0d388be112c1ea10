/** Address and login of a Redis, parsed by `parseRedisAddress`. `setting`: name of the setting, for messages. */
export type RedisAddress = RedisPlace & { readonly access: RedisAccess; readonly setting?: string };

export type RedisPlace =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "server"; readonly server: HostPort; readonly database: number }
  /** Sentinels that know the current master. */
  | { readonly kind: "sentinel"; readonly sentinels: readonly HostPort[]; readonly master: string; readonly database: number }
  /** Some nodes of a Redis Cluster, which name the others. */
  | { readonly kind: "cluster"; readonly nodes: readonly HostPort[] };

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface RedisAccess extends Credentials {
  /** Login of the Sentinels themselves. */
  readonly sentinel?: Credentials;
  /** Present if the connection is encrypted. */
  readonly tls?: RedisTls;
}

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/** Texts in PEM form. */
export interface RedisTls {
  /** Certificate authority of the server; without it, those of the system. */
  readonly ca?: string;
  /** Client certificate, for servers that require one. */
  readonly cert?: string;
  readonly key?: string;
}

const forms =
  "must be redis://host:port, redis+sentinel://host:port,host:port/name, redis+cluster://host:port,host:port, one of them as rediss with TLS, or the absolute path of a socket";
/** The login ends at the last `@`, because passwords are not always encoded. */
const form = /^(rediss?)(?:[+-](sentinel|cluster))?:\/\/(?:(.*)@)?([^/?#@]*)(?:\/([^?#]*))?$/s;
const ports = { server: 6379, sentinel: 26_379, cluster: 6379 };

/** Parses an address. Throws a message that continues the setting's name and shows nothing of the text, which may hold a password. */
export function parseRedisAddress(text: string): RedisAddress {
  if (text.startsWith("/")) return { kind: "socket", path: text, access: {} };
  const [matched, scheme, topology, user, hosts = "", path = ""] = form.exec(text) ?? [];
  if (matched === undefined) throw new Error(forms);
  const access = { ...credentialsOf(user), ...(scheme === "rediss" ? { tls: {} } : {}) };
  const kind = topology === "sentinel" || topology === "cluster" ? topology : "server";
  const servers = hosts.split(",").map((entry) => serverOf(entry.trim(), ports[kind]));
  switch (kind) {
    case "server": {
      const [server, second] = servers;
      if (server === undefined || second !== undefined)
        throw new Error("names several hosts: redis+sentinel:// or redis+cluster:// says what they are");
      return { kind, server, database: databaseOf(path), access };
    }
    case "sentinel": {
      const [master = "", database = "", more] = path.split("/");
      if (!/^[\w.-]+$/.test(master) || more !== undefined)
        throw new Error("must end with the name that the Sentinels have for the master: redis+sentinel://host:port,host:port/name");
      return { kind, sentinels: servers, master, database: databaseOf(database), access };
    }
    case "cluster":
      if (databaseOf(path) !== 0) throw new Error("names a database, and a Redis Cluster has none but 0");
      return { kind, nodes: servers, access };
    default:
      return kind satisfies never;
  }
}

/** Returns the servers that a setting names; none for a socket. */
export function serversOf(address: RedisPlace): readonly HostPort[] {
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
      return address satisfies never;
  }
}

/** Returns a text for people, without a secret. */
export function placeOf(address: RedisPlace): string {
  const servers = serversOf(address)
    .map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`)
    .join(", ");
  switch (address.kind) {
    case "socket":
      return address.path;
    case "server":
      return servers;
    case "sentinel":
      return `${address.master} of the Sentinels at ${servers}`;
    case "cluster":
      return `the cluster at ${servers}`;
    default:
      return address satisfies never;
  }
}

function serverOf(entry: string, port: number): HostPort {
  const [, bracketed, host = bracketed, given] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s[\]:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (host === undefined) throw new Error("names no host, or one in another form than host:port");
  const chosen = given === undefined ? port : Number(given);
  if (chosen < 1 || chosen > 65_535) throw new Error("names a port that is none");
  return { host, port: chosen };
}

function databaseOf(path: string): number {
  if (!/^\d{0,4}$/.test(path)) throw new Error("has something behind the host that is no number of a database");
  return Number(path);
}

function credentialsOf(text: string | undefined): Credentials {
  if (text === undefined || text === "") return {};
  const colon = text.indexOf(":");
  const [user, secret] = colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  const [username, password] = [decoded(user), decoded(secret)];
  return { ...(username === "" ? {} : { username }), ...(password === "" ? {} : { password }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("has a % in its user or password that stands for nothing: write it as %25");
  }
}
