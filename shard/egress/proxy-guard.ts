import type { LookupAddress } from "node:dns";
import { lookup as resolveName } from "node:dns/promises";
import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";
import { isPublic } from "../files/download/address-guard.js";
import { isOwnAddress } from "../files/download/own-address.js";
import { ProxyFault } from "./proxy-fault.js";

export interface ProxyGuardOptions {
  /** `host:port` of proxies that are allowed although their address is not public. */
  readonly allow: readonly string[];
  /** Finds all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>;
  /** Returns true for an address of this machine: its public addresses are refused too. */
  readonly isOwn?: (address: string) => boolean;
}

/**
 * Decides at each new connection which proxy may be used, because tenants name proxies and could probe our network. The connection uses
 * exactly the returned addresses, so that a name cannot resolve differently in between.
 */
export class ProxyGuard {
  private readonly allowed: ReadonlySet<string>;
  private readonly resolve: (hostname: string) => Promise<LookupAddress[]>;

  private readonly isOwn: (address: string) => boolean;

  constructor({ allow, resolve, isOwn = isOwnAddress }: ProxyGuardOptions) {
    this.isOwn = isOwn;
    this.allowed = new Set(allow.map((entry) => entry.toLowerCase()));
    this.resolve = resolve ?? ((hostname) => resolveName(hostname, { all: true, verbatim: true }));
  }

  /** Returns the proxy's addresses. Rejects with `ProxyFault`; one private address among public ones refuses the name. */
  async addresses({ host, port }: ProxyAddress): Promise<LookupAddress[]> {
    const found = await this.resolve(host).catch(() => []);
    if (found.length === 0) throw new ProxyFault("unreachable", "ENOTFOUND");
    const named = `${host.includes(":") ? `[${host}]` : host}:${port}`.toLowerCase();
    if (!this.allowed.has(named) && !found.every(({ address }) => isPublic(address) && !this.isOwn(address)))
      throw new ProxyFault("not-allowed");
    return found;
  }
}
