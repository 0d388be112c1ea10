import { Egress, type EgressOptions } from "../../shard/egress/egress.js";
import { ProxyGuard } from "../../shard/egress/proxy-guard.js";

/** Returns the egress of an adapter under test. `allow` lists proxies on loopback. */
export function testEgress({ allow = [], ...more }: { allow?: readonly string[] } & Omit<Partial<EgressOptions>, "guard"> = {}): Egress {
  return new Egress({ guard: new ProxyGuard({ allow }), ...more });
}
