import { BlockList, isIP, SocketAddress } from "node:net";
import type { HeaderReader } from "./request.js";

/**
 * Finds the address that a request counts against in the limits: the peer, or behind a proxy of `TRUSTED_PROXIES` the last
 * `X-Forwarded-For` entry that is no such proxy. One IPv6 caller has 2^64 addresses, so the first 64 bits count.
 */
export class CallerAddresses {
  constructor(private readonly trusted: TrustedProxies) {}

  of(peer: string, headers: HeaderReader): string {
    let address = toAddress(peer);
    if (this.trusted.isEmpty) return share(address);
    const forwarded = (headers.get("x-forwarded-for") ?? []).flatMap((value) => value.split(","));
    while (address !== undefined && this.trusted.has(address)) {
      const before = forwarded.pop();
      const named = before === undefined ? undefined : toAddress(withoutPort(before.trim()));
      // The proxy names no valid address, so the proxy counts as the caller.
      if (named === undefined) break;
      address = named;
    }
    return share(address);
  }
}

/** `TRUSTED_PROXIES`: addresses and networks, comma-separated. */
export class TrustedProxies {
  private constructor(
    private readonly list: BlockList,
    readonly isEmpty: boolean,
  ) {}

  static readonly none = new TrustedProxies(new BlockList(), true);

  /** Parses the setting. Throws an error with a sentence for the operator. */
  static parse(text: string): TrustedProxies {
    if (text === "") return TrustedProxies.none;
    const list = new BlockList();
    for (const entry of text.split(",")) {
      const [, network = "", bits] = /^\s*([\d.]+|[\da-f.:]+)(?:\/(\d{1,3}))?\s*$/i.exec(entry) ?? [];
      const version = isIP(network);
      const width = version === 4 ? 32 : 128;
      if (version === 0 || Number(bits ?? width) > width) throw new Error("must be a list of addresses or networks such as 10.0.0.0/8");
      list.addSubnet(network, Number(bits ?? width), version === 4 ? "ipv4" : "ipv6");
    }
    return new TrustedProxies(list, false);
  }

  has({ address, family }: SocketAddress): boolean {
    return this.list.check(address, family);
  }
}

/** Some balancers add the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^(?:\[(.*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry;
}

/** Parses an address. An IPv4 address inside IPv6 becomes IPv4. */
function toAddress(text: string): SocketAddress | undefined {
  const version = isIP(text);
  if (version === 0) return undefined;
  const address = new SocketAddress({ address: text, family: version === 4 ? "ipv4" : "ipv6" });
  const mapped = /^::ffff:([\d.]+)$/.exec(address.address)?.[1];
  return mapped === undefined ? address : new SocketAddress({ address: mapped, family: "ipv4" });
}

/** Returns the key for the limits. All peers whose connection is already gone share the empty key. */
function share(address: SocketAddress | undefined): string {
  if (address === undefined) return "";
  if (address.family === "ipv4") return address.address;
  const [before = "", after] = address.address.split("::");
  const head = before === "" ? [] : before.split(":");
  const zeros = after === undefined ? 0 : 8 - head.length - (after === "" ? 0 : after.split(":").length);
  return [...head, ...Array<string>(zeros).fill("0"), ...(after ?? "").split(":")].slice(0, 4).join(":");
}
