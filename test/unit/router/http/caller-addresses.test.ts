import { describe, expect, it } from "vitest";
import { CallerAddresses, TrustedProxies } from "../../../../router/http/caller-addresses.js";
import { aRequest } from "../support.js";

const of = (trusted: string, peer: string, ...forwarded: string[]): string =>
  new CallerAddresses(TrustedProxies.parse(trusted)).of(
    peer,
    aRequest(forwarded.length === 0 ? {} : { "x-forwarded-for": forwarded }).headers,
  );

describe("whose share a request takes", () => {
  it.each<[string, string, string]>([
    ["an IPv4 address", "192.0.2.1", "192.0.2.1"],
    ["an IPv4 address as the engine writes it on IPv6", "0000:0000:0000:0000:0000:ffff:c000:0201", "192.0.2.1"],
    ["the network of an IPv6 address", "2001:0db8:0001:0002:0003:0004:0005:0006", "2001:db8:1:2"],
    ["a network of zeros", "2001:db8::1", "2001:db8:0:0"],
    ["this machine", "0000:0000:0000:0000:0000:0000:0000:0001", "0:0:0:0"],
    ["nobody", "", ""],
  ])("%s", (_, peer, share) => {
    expect(of("", peer)).toBe(share);
    expect(of("10.0.0.0/8", peer, "203.0.113.7")).toBe(share);
  });

  it.each<[string, string[], string]>([
    ["the one that the proxy names", ["203.0.113.7"], "203.0.113.7"],
    ["the last one, as callers write what they like before it", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"],
    ["over two lines", ["198.51.100.1", "203.0.113.7"], "203.0.113.7"],
    ["over two proxies", ["198.51.100.1, 203.0.113.7, 10.9.9.9"], "203.0.113.7"],
    ["by its network", ["2001:db8:1:2:3::4"], "2001:db8:1:2"],
    ["with the caller's port", ["203.0.113.7:4711"], "203.0.113.7"],
    ["with the caller's port, of a network", ["[2001:db8:1:2:3::4]:4711"], "2001:db8:1:2"],
    ["in brackets without a port", ["[2001:db8:1:2:3::4]"], "2001:db8:1:2"],
    ["over two proxies with ports", ["203.0.113.7:4711, 10.9.9.9:80"], "203.0.113.7"],
    ["the proxy, when the port is none", ["203.0.113.7:port"], "10.0.0.1"],
    ["the proxy, when it names nobody", [], "10.0.0.1"],
    ["the proxy, when it names no address", ["203.0.113.7, unknown"], "10.0.0.1"],
    ["the last proxy, when there are only proxies", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"],
  ])("behind a trusted proxy: %s", (_, forwarded, share) => {
    expect(of("10.0.0.0/8,fd00::/8", "10.0.0.1", ...forwarded)).toBe(share);
  });
});

describe("TRUSTED_PROXIES", () => {
  it.each(["10.0.0.0/33", "10.0.0", "::/129", "example.org", "10.0.0.1,", "10.0.0.1/"])("refuses %s", (text) => {
    expect(() => TrustedProxies.parse(text)).toThrow("must be a list of addresses or networks such as 10.0.0.0/8");
  });

  it.each(["10.0.0.1", " 10.0.0.0/8 , ::1", "fd00::/8"])("takes %s", (text) => {
    expect(TrustedProxies.parse(text).isEmpty).toBe(false);
  });
});
