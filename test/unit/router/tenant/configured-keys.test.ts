import { describe, expect, it } from "vitest";
import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import { judge } from "../../../../router/tenant/judge.js";
import { readApiKeys } from "../../../../shared/config/api-key-list.js";

function may(ring: string, key: string, role: "create" | "admin"): boolean {
  const principal = ConfiguredKeys.parse(ring).find(key);
  return principal !== undefined && judge(principal, role === "create" ? "create-session" : "administer") === "allowed";
}

describe("ConfiguredKeys", () => {
  it.each<[string, string, "create" | "admin", boolean]>([
    ["k1", "k1", "create", true],
    ["k1", "k1", "admin", false],
    ["k1", "k2", "create", false],
    ["k1", "", "create", false],
    ["create:k1,admin:k2", "k1", "create", true],
    ["create:k1,admin:k2", "k1", "admin", false],
    ["create:k1, admin:k2", "k2", "admin", true],
    ["create:k1,admin:k2", "k2", "create", true],
    ["create:k1", "create:k1", "create", false],
  ])("ring %s, key %s, role %s: %s", (ring, key, role, allowed) => {
    expect(may(ring, key, role)).toBe(allowed);
  });

  it("is empty without a text", () => {
    expect(ConfiguredKeys.parse("").isOpen).toBe(true);
  });

  it.each(["root:abcdefghijklmnop", "other:k1", "admin:k2,Create:k1", ":k1"])(
    "refuses %j: what stands before the key is no role",
    (text) => {
      expect(() => ConfiguredKeys.parse(text)).toThrow(
        /^must be a list of role:key with the roles create and admin; the (first|second) has another$/,
      );
    },
  );

  it("rejects guessable configured keys without printing them", () => {
    expect(() => readApiKeys("admin:0123456789abcdef,create:short")).toThrow(/^has a key of fewer than 16 characters \(the second\)$/);
    expect(() => readApiKeys("abc")).toThrow("has a key of fewer than 16 characters (the first)");
    expect(readApiKeys("admin:0123456789abcdef")).toEqual([{ role: "admin", key: "0123456789abcdef" }]);
  });

  // An empty ring admits loopback clients, so a typing error must not produce one.
  it.each([" ", ",", "admin:", "create:", "admin:k1,", "admin"])("refuses %j", (text) => {
    expect(() => ConfiguredKeys.parse(text)).toThrow("must be a list of role:key without empty keys");
  });
});

it("names its keys without telling them; those that create are the default tenant's", () => {
  const keys = ConfiguredKeys.parse("create:k1,admin:k2,create:k2");
  expect(keys.find("k1")).toEqual({ keyId: "configured-1", role: "create", tenant: "default", incarnation: "" });
  expect(keys.find("k2")).toEqual({ keyId: "configured-2", role: "admin" });
});
