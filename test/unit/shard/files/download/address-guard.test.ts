import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { AddressGuard } from "../../../../../shard/files/download/address-guard.js";
import { isOwnAddress } from "../../../../../shard/files/download/own-address.js";

it("never goes from https to http, and keeps a relative location on its host", () => {
  const guard = new AddressGuard({});
  const secure = guard.check("https://example.com/a/b");
  expect(() => guard.check("http://example.com/a/b", secure)).toThrow("invalid url");
  expect(guard.check("../c", secure).href).toBe("https://example.com/c");
  expect(guard.check("//example.org/d", secure).href).toBe("https://example.org/d");
  expect(guard.check("https://example.com/", guard.check("http://example.com/")).protocol).toBe("https:");
});

it.each([
  "http://8.8.8.8/",
  "https://[2606:4700::1111]/",
  "http://example.com:8080/",
  "https://example.com:8443/x?y=z#f",
  "https://bücher.example/",
])("lets %s through", (url) => {
  expect(new AddressGuard({}).check(url).href).toBe(new URL(url).href);
});

it("allows a configured IPv6 host and default ports", () => {
  const guard = new AddressGuard({ allow: ["[::1]:80", "MINIO.internal:443"] });
  expect(guard.check("http://[::1]/x").port).toBe("");
  expect(guard.check("https://minio.internal/x").hostname).toBe("minio.internal");
  expect(() => guard.check("https://[::1]/x")).toThrow("blocked address");
});

it("lets through below a path what is allowed below it, and nothing beside it", () => {
  const guard = new AddressGuard({ allow: ["127.0.0.1:8090/files/"] });
  expect(guard.check("http://127.0.0.1:8090/files/photo.jpg?x=1").pathname).toBe("/files/photo.jpg");
  const sample = new URL("http://127.0.0.1:8090/files/photo.jpg");
  for (const url of [
    "/accounts",
    "/",
    "/files",
    "/files/../accounts",
    "/files/%2e%2e/accounts",
    "/files/..%2faccounts",
    "/files/..%5caccounts",
    "/filesystem",
    "//127.0.0.1:8090/received?account=alice",
  ]) {
    expect(() => guard.check(`http://127.0.0.1:8090${url}`), url).toThrow("blocked address");
    // A redirect is checked like any other hop.
    expect(() => guard.check(url, sample), url).toThrow("blocked address");
  }
});

it("refuses public addresses of this machine, literal and by name, but for what is allowed", async () => {
  const isOwn = (address: string): boolean => ["8.8.4.4", "2606:4700::1111"].includes(address);
  const resolve = (hostname: string): Promise<{ address: string; family: number }[]> =>
    Promise.resolve([{ address: hostname === "ours.example" ? "8.8.4.4" : "8.8.8.8", family: 4 }]);
  const guard = new AddressGuard({ isOwn, resolve, allow: ["8.8.4.4:8080/files/"] });
  for (const url of ["http://8.8.4.4/", "http://8.8.4.4:8080/admin", "http://134743044/", "https://[2606:4700::1111]/"])
    expect(() => guard.check(url)).toThrow("blocked address");
  expect(guard.check("http://8.8.4.4:8080/files/a.jpg").port).toBe("8080");
  expect(guard.check("http://8.8.8.8/").hostname).toBe("8.8.8.8");
  const resolved = (host: string): Promise<string | undefined> =>
    new Promise((done) => guard.lookup(new URL(`http://${host}/`))(host, {}, (error) => done(error?.message)));
  expect(await resolved("ours.example")).toContain("blocked address");
  expect(await resolved("theirs.example")).toBeUndefined();
});

it("recognizes this machine's own addresses", () => {
  const cards = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  for (const { address } of cards) expect(isOwnAddress(address)).toBe(true);
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::"]) expect(isOwnAddress(address)).toBe(true);
  for (const address of ["8.8.8.8", "2606:4700::1111", "example.com", ""]) expect(isOwnAddress(address)).toBe(false);
});
