import type { Log } from "../../../shared/log/logger.js";
import type { HostPort, RedisAddress } from "../../../shared/redis/address.js";
import { connectRedis } from "../../../shared/redis/connect.js";

/** Address on which one server listens. */
export type ServerPlace = HostPort | { readonly path: string };

/**
 * Returns where the server of an address listens now. The first Sentinel that names a master wins. Rejects for a cluster, which has many
 * servers.
 */
export async function serverPlace(address: RedisAddress, log: Log): Promise<ServerPlace> {
  switch (address.kind) {
    case "socket":
      return { path: address.path };
    case "server":
      return address.server;
    case "sentinel":
      return await Promise.any(address.sentinels.map((sentinel) => namedMaster(sentinel, address, log)));
    case "cluster":
      throw new Error("a cluster has many servers");
    default:
      return address satisfies never;
  }
}

/**
 * Returns the master that one Sentinel names. If the master was replaced a moment ago, it rejects writes and the address is resolved
 * again.
 */
async function namedMaster(server: HostPort, { master, access }: RedisAddress & { kind: "sentinel" }, log: Log): Promise<HostPort> {
  const { sentinel = {}, tls } = access;
  const redis = await connectRedis({ kind: "server", server, database: 0, access: { ...sentinel, ...(tls && { tls }) } }, "writer", log);
  try {
    const reply: unknown = await redis.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", master);
    const [host, port] = Array.isArray(reply) ? reply.map(String) : [];
    if (host === undefined || port === undefined) throw new Error("no Sentinel names a master");
    return { host, port: Number(port) };
  } finally {
    redis.disconnect();
  }
}
