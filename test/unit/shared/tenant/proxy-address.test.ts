import { describe, expect, it } from "vitest";
import { parseProxy, shownProxy } from "../../../../shared/tenant/proxy-address.js";

describe("an address of a proxy", () => {
  it.each([
    ["socks5://proxy.example.com:1080", { kind: "socks5", host: "proxy.example.com", port: 1080, user: "", password: "" }],
    ["socks5h://proxy.example.com:1080", { kind: "socks5", host: "proxy.example.com", port: 1080, user: "", password: "" }],
    ["socks5://ann:p%40ss%3A@10.0.0.1:9", { kind: "socks5", host: "10.0.0.1", port: 9, user: "ann", password: "p@ss:" }],
    ["http://ann:pass@proxy.example.com:3128/", { kind: "http", host: "proxy.example.com", port: 3128, user: "ann", password: "pass" }],
    ["http://proxy.example.com", { kind: "http", host: "proxy.example.com", port: 80, user: "", password: "" }],
    ["socks5://b\u00fccher.example.com:1080", { kind: "socks5", host: "xn--bcher-kva.example.com", port: 1080, user: "", password: "" }],
    ["http://b\u00fccher.example.com:80", { kind: "http", host: "xn--bcher-kva.example.com", port: 80, user: "", password: "" }],
    ["socks5://127.1:1080", { kind: "socks5", host: "127.0.0.1", port: 1080, user: "", password: "" }],
    ["socks5://%31%32%37.0.0.1:1080", { kind: "socks5", host: "127.0.0.1", port: 1080, user: "", password: "" }],
    ["socks5://[::ffff:127.0.0.1]:1080", { kind: "socks5", host: "::ffff:7f00:1", port: 1080, user: "", password: "" }],
    ["http://[2001:db8::1]:3128", { kind: "http", host: "2001:db8::1", port: 3128, user: "", password: "" }],
  ])("%s", (text, address) => {
    expect(parseProxy(text)).toEqual(address);
  });

  it.each([
    "",
    "proxy.example.com:1080",
    "socks5://proxy.example.com",
    "socks5://:1080",
    "socks4://proxy.example.com:1080",
    "https://proxy.example.com:443",
    "socks5://proxy%00.example.com:1080",
    "socks5://proxy%2f.example.com:1080",
    "socks5://%zz:1080",
    "socks5://999.1.1.1:1080",
    "socks5://proxy.example.com:65536",
    "javascript:alert(1)",
    "socks5:proxy.example.com:1080",
    "socks5://proxy.example.com:0",
    "socks5://proxy.example.com:1080/path",
    "http://proxy.example.com:80?a=b",
    "http://proxy.example.com:80#a",
    "socks5://a%:b@proxy.example.com:1080",
    "socks5://a%0ab:b@proxy.example.com:1080",
    `socks5://${"a".repeat(256)}:b@proxy.example.com:1080`,
    `http://${"a".repeat(1_024)}.example.com:80`,
  ])("is not %s", (text) => {
    expect(parseProxy(text)).toBeUndefined();
  });

  it.each([
    ["socks5://ann:secret@proxy.example.com:1080", "socks5://***@proxy.example.com:1080"],
    ["http://ann@[2001:db8::1]:3128", "http://***@[2001:db8::1]:3128"],
    ["http://proxy.example.com", "http://proxy.example.com:80"],
    ["not one: secret", "***"],
  ])("is shown without its login: %s", (text, shown) => {
    expect(shownProxy(text)).toBe(shown);
  });
});
