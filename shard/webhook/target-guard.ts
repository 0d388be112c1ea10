import type { LookupAddress } from "node:dns";
import { lookup as resolveName } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { isPublic } from "../files/download/address-guard.js";
import { isOwnAddress } from "../files/download/own-address.js";
import { portOf } from "../files/download/url-port.js";
import { endsWithin } from "../../shared/flow/ends-within.js";

/** Thrown when a target must not be reached. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

export interface TargetGuardOptions {
  /** Variant B allows local addresses. An operator who serves strangers turns them off. */
  readonly allowPrivate: boolean;
  /** `host:port` of our own servers: Redis, admin ports, routers. */
  readonly own: readonly string[];
  /** Finds all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

/** A caller waits for the result. */
const lookupMs = 2_000;
/** Allowed ports of public hosts while local addresses are not allowed; the same as for downloads. */
const publicPorts = new Set([80, 443, 8080, 8443]);

/**
 * Decides at each new connection where a webhook may go. The connection uses exactly the returned addresses, so that a name cannot resolve
 * differently in between.
 */
export class TargetGuard {
  private readonly resolve: (hostname: string) => Promise<LookupAddress[]>;
  private readonly own: readonly { readonly host: string; readonly port: number }[];

  constructor(private readonly options: TargetGuardOptions) {
    this.resolve = options.resolve ?? ((hostname) => resolveName(hostname, { all: true, verbatim: true }));
    this.own = options.own.map((entry) => ({
      host: bare(entry.slice(0, entry.lastIndexOf(":"))),
      port: Number(entry.slice(entry.lastIndexOf(":") + 1)),
    }));
  }

  /**
   * Returns all addresses of a host, a literal or a name; all of them may be reached. Rejects with `TargetRefused`, or with the error of
   * the resolver.
   */
  async addresses(hostname: string, port: number): Promise<LookupAddress[]> {
    const found = await this.resolved(bare(hostname));
    if (found.length === 0) throw new TargetRefused("no address");
    if (!this.options.allowPrivate && !publicPorts.has(port)) throw new TargetRefused("port");
    for (const { address } of found) {
      if (!this.isPermitted(address)) throw new TargetRefused("address");
    }
    const ours = await this.ownAddresses(port);
    if (found.some(({ address }) => ours(address))) throw new TargetRefused("own server");
    return found;
  }

  /**
   * Returns true when `addresses` would refuse the target now. If the resolver fails or takes too long, nothing is known, and it returns
   * false.
   */
  async refuses(url: URL): Promise<boolean> {
    const refused = this.addresses(url.hostname, portOf(url)).then(
      () => false,
      (error: unknown) => error instanceof TargetRefused,
    );
    return (await endsWithin(refused, lookupMs)) && (await refused);
  }

  private isPermitted(address: string): boolean {
    if (isPublic(address)) return true;
    if (!this.options.allowPrivate || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return localRanges.has(parsed.range()) && !metadata.some((range) => parsed.kind() === range[0].kind() && parsed.match(range));
  }

  /** Returns a test for addresses at which one of our own servers listens on this port. */
  private async ownAddresses(port: number): Promise<(address: string) => boolean> {
    const hosts = this.own.filter((entry) => entry.port === port).map(({ host }) => host);
    if (hosts.length === 0) return () => false;
    const servers = (await Promise.all(hosts.map((host) => this.resolved(host).catch(() => []))))
      .flat()
      .map(({ address }) => ipaddr.process(address));
    const here = servers.some((address) => isOwnAddress(address.toString()));
    const named = new Set(servers.map(String));
    return (address) => {
      const parsed = ipaddr.process(address);
      return named.has(parsed.toString()) || (here && isOwnAddress(address));
    };
  }

  private async resolved(host: string): Promise<LookupAddress[]> {
    if (ipaddr.isValid(host)) return [{ address: host, family: ipaddr.parse(host).kind() === "ipv4" ? 4 : 6 }];
    return this.resolve(host);
  }
}

/**
 * Every other range that is not public is refused: link-local (with most clouds' metadata address), multicast, 0.0.0.0/8 (which reaches
 * this machine), broadcast, and all IPv6 ranges that carry an IPv4 address.
 */
const localRanges: ReadonlySet<string> = new Set(["loopback", "private", "carrierGradeNat", "uniqueLocal"]);
/** Local addresses at which clouds serve metadata. */
const metadata = [ipaddr.parseCIDR("100.100.100.200/32"), ipaddr.parseCIDR("fd00:ec2::/32"), ipaddr.parseCIDR("fd20:ce::/32")];

/** Returns the host without the brackets of an IPv6 address. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
