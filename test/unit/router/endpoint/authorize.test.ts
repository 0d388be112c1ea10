import { describe, expect, it } from "vitest";
import { authorize } from "../../../../router/endpoint/authorize.js";
import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import { localPrincipal, type KeyPort } from "../../../../router/tenant/principal.js";
import { aRequest } from "../support.js";

const keysOf = (text: string): KeyPort => {
  const configured = ConfiguredKeys.parse(text);
  return {
    isOpen: configured.isOpen,
    isShared: false,
    find: (key) => configured.find(key),
    mayBeNew: () => false,
    learn: () => Promise.resolve(),
  };
};
const none = keysOf("");

describe("without api keys, a caller of this machine", () => {
  it.each(["localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:8080", "127.8.8.8:1", "[::1]", "[::1]:8080", "[::ffff:127.0.0.1]:8080"])(
    "may ask for %s",
    (host) => {
      for (const action of ["administer", "create-session", "read-self"] as const) {
        expect(authorize(none, action, aRequest({ host }))).toBe(localPrincipal);
        expect(authorize(none, action, aRequest({ host, origin: `http://${host}` }))).toBe(localPrincipal);
      }
    },
  );

  it.each([
    ...["rebind.evil.example", "rebind.evil.example:8080", "localhost.evil.example", "evil.localhost", "127.0.0.1.evil.example"],
    ...["0.0.0.0", "0.0.0.0:8080", "10.0.0.1", "2130706433", "127.1", "[::]", "[::2]:8080", "::1", "[127.0.0.1]", "[localhost]"],
    ...["", ":8080", "localhost:", "localhost:x", "127.0.0.1:8080:8080", "localhost@evil.example", "localhost,evil.example"],
  ])("may not ask for %j, by whose name a page can lead its browser here", (host) => {
    for (const action of ["administer", "create-session", "read-self"] as const) {
      expect(() => authorize(none, action, aRequest({ host }))).toThrow(expect.objectContaining({ status: 403 }));
      expect(() => authorize(none, action, aRequest({ host, origin: `http://${host}` }))).toThrow(expect.objectContaining({ status: 403 }));
    }
  });

  it.each(["x-forwarded-for", "forwarded", "x-forwarded-host", "x-real-ip", "via"])("may not come through a proxy: %s", (name) => {
    expect(() => authorize(none, "administer", aRequest({ host: "localhost", [name]: "10.0.0.1" }))).toThrow(
      expect.objectContaining({ status: 403 }),
    );
  });
});

it("with a key, any host is right", () => {
  const keys = keysOf("admin:a-key-that-is-long-enough");
  const request = aRequest({ host: "gateway.example.com", "x-api-key": "a-key-that-is-long-enough" });
  expect(authorize(keys, "administer", request)).toMatchObject({ role: "admin" });
});
