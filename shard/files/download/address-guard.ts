import type { LookupAddress } from "node:dns";
import { lookup as resolveName } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { DownloadError, toDownloadError } from "./download-error.js";
import { isOwnAddress } from "./own-address.js";
import { portOf } from "./url-port.js";

/** Why the guard refused an address: a closed set, for metrics. */
export type BlockedReason = "scheme" | "userinfo" | "host" | "port" | "literal" | "resolved" | "downgrade";

export interface AddressGuardOptions {
  /** Allowed ports of public hosts. Default 80, 443, 8080, 8443. */
  readonly ports?: readonly number[];
  /** Further ports, from the operator's settings. */
  readonly furtherPorts?: readonly number[];
  /**
   * `host:port` that is allowed whatever its address is, such as the operator's own media store. With a path (`host:port/files/`) only
   * URLs below that path are allowed.
   */
  readonly allow?: readonly string[];
  /** Finds all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>;
  /** Returns true for an address of this machine: its public ones are refused too, because our servers listen there. */
  readonly isOwn?: (address: string) => boolean;
  readonly onBlocked?: (reason: BlockedReason) => void;
}

const defaultPorts = [80, 443, 8080, 8443];
const maxHostBytes = 253;
const maxUrlBytes = 2_048;

/**
 * Decides which servers a tenant's URL may reach. Each hop needs both checks: `check` for the URL, because a literal address never reaches
 * a resolver, and `lookup`, which passes the checked addresses to the connection.
 */
export class AddressGuard {
  private readonly ports: ReadonlySet<number>;
  private readonly allowed: readonly { readonly server: string; readonly path: string }[];
  private readonly resolve: (hostname: string) => Promise<LookupAddress[]>;

  constructor(private readonly options: AddressGuardOptions) {
    this.ports = new Set([...(options.ports ?? defaultPorts), ...(options.furtherPorts ?? [])]);
    this.allowed = (options.allow ?? []).map((entry) => {
      const slash = entry.indexOf("/");
      const [server, path] = slash < 0 ? [entry, "/"] : [entry.slice(0, slash), entry.slice(slash)];
      return { server: server.toLowerCase(), path };
    });
    this.resolve = options.resolve ?? ((hostname) => resolveName(hostname, { all: true, verbatim: true }));
  }

  /**
   * Parses and checks a URL; `base` is the hop before it. Throws DownloadError `invalid url`, `blocked address` or `blocked port`. Does no
   * I/O.
   */
  check(text: string, base?: URL): URL {
    const url = parseUrl(text, base);
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw this.blocked("scheme", "invalid url", "its scheme is neither http nor https");
    if (url.username !== "" || url.password !== "") throw this.blocked("userinfo", "invalid url", "it holds a user name or password");
    if (base?.protocol === "https:" && url.protocol === "http:")
      throw this.blocked("downgrade", "invalid url", "a redirect leads from https to http");
    if (url.hostname === "" || url.hostname.length > maxHostBytes)
      throw this.blocked("host", "invalid url", `its host name is empty or longer than ${maxHostBytes} characters`);
    if (this.isAllowed(url)) return url;
    const literal = hostOf(url);
    // The URL parser has already turned every spelling of an IPv4 address (decimal, hex, octal, short, full-width) into four numbers.
    if (ipaddr.isValid(literal) && !this.mayReach(literal)) throw this.blocked("literal", "blocked address", notPublic);
    const port = portOf(url);
    if (!this.ports.has(port)) throw this.blocked("port", "blocked port", `${port} is not one of ${[...this.ports].join(", ")}`);
    return url;
  }

  /**
   * Returns the resolver for the connection to `url`. One private address among public ones refuses the name. The connection uses exactly
   * the returned addresses.
   */
  lookup(url: URL): LookupFunction {
    const open = this.isAllowed(url);
    return (hostname, options, callback) => {
      this.resolve(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (first === undefined) callback(new DownloadError("dns", undefined, "the host name does not exist"), "", 0);
          else if (!open && !addresses.every(({ address }) => this.mayReach(address)))
            callback(this.blocked("resolved", "blocked address", notPublic), "", 0);
          else if (options.all === true) callback(null, addresses);
          else callback(null, first.address, first.family);
        },
        (error: unknown) => callback(toDownloadError(error, "dns"), "", 0),
      );
    };
  }

  private mayReach(address: string): boolean {
    return isPublic(address) && !(this.options.isOwn ?? isOwnAddress)(address);
  }

  private isAllowed(url: URL): boolean {
    const server = `${url.hostname}:${portOf(url)}`;
    // The parser has resolved `..`, but not the escapes that a server may decode to it.
    return this.allowed.some(
      (one) => one.server === server && (one.path === "/" || (url.pathname.startsWith(one.path) && !/%(2e|2f|5c)/i.test(url.pathname))),
    );
  }

  private blocked(reason: BlockedReason, detail: "invalid url" | "blocked address" | "blocked port", why: string): DownloadError {
    this.options.onBlocked?.(reason);
    return new DownloadError(detail, reason, why);
  }
}

const notPublic = "it is not public";

function parseUrl(text: string, base: URL | undefined): URL {
  if (Buffer.byteLength(text) > maxUrlBytes) throw new DownloadError("invalid url", undefined, `it is longer than ${maxUrlBytes} bytes`);
  if (!URL.canParse(text, base?.href))
    throw new DownloadError(
      "invalid url",
      undefined,
      /^[a-z][a-z0-9+.-]*:/i.test(text) ? "it cannot be read" : "it does not begin with http:// or https://",
    );
  return new URL(text, base);
}

/** Returns the host without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

const globalIpv6 = ipaddr.parseCIDR("2000::/3");

/**
 * Returns true for plain unicast addresses only, after unwrapping IPv4 inside IPv6. IPv6 must be in the range that is assigned: the
 * library calls `::7f00:1`, an old spelling of 127.0.0.1, unicast.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(globalIpv6));
}
