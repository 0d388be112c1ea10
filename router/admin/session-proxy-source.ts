import type { SessionId } from "../../shared/contract/ids.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import { shownProxy } from "../../shared/tenant/proxy-address.js";
import { keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { RecordTexts } from "../../shared/session/record-texts.js";
import { tenantProxyContext } from "../../shared/tenant/tenant-proxy.js";
import type { Principal } from "../tenant/principal.js";

/** Proxy of a session. */
export interface ProxyInUse {
  /** Source of the proxy: the session, the API key that created it, or the tenant. */
  of: "session" | "key" | "tenant" | "none";
  /** Address of the proxy without its login. Empty without a proxy. Only the role `admin` sees the proxies of keys and tenants. */
  address: string;
}

export interface ProxySourceParts {
  readonly redis: RedisClient;
  readonly ring: Pick<KeyRing, "open">;
}

export async function readProxySource({ redis, ring }: ProxySourceParts, id: SessionId, tenant: TenantName): Promise<ProxyInUse> {
  const [[wrapped, own, origin], ofTenant] = await Promise.all([
    redis.hmgetBuffer(keys.session(id), "dk", "proxy", "proxyOf"),
    redis.hget(keys.tenantProxies, tenant),
  ]);
  if (own != null && own.length > 0) {
    const of = origin?.toString() === "key" ? "key" : "session";
    return { of, address: opened(() => new RecordTexts(ring, id, wrapped).open(own, "proxy")) };
  }
  if (ofTenant === null || ofTenant === "") return { of: "none", address: "" };
  return { of: "tenant", address: opened(() => ring.open(ofTenant, tenantProxyContext(tenant)).toString()) };
}

/** Hides the address of an operator's proxy from tenants, who only see that there is one. */
export function shownTo(principal: Principal, proxy: ProxyInUse): ProxyInUse {
  return (proxy.of === "tenant" || proxy.of === "key") && principal.role !== "admin" ? { ...proxy, address: "" } : proxy;
}

/** Returns `***` if the proxy cannot be decrypted. Shards report that with each failed connection. */
function opened(open: () => string): string {
  try {
    return shownProxy(open());
  } catch {
    return shownProxy("");
  }
}
