import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KeyRing, parseKeyRing } from "../../../../shared/config/key-ring.js";

const key = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;

describe("KeyRing", () => {
  it("opens what it sealed", () => {
    const ring = KeyRing.parse(key("a"));
    expect(ring.open(ring.seal(Buffer.from("secret"), "v1|x"), "v1|x").toString()).toBe("secret");
  });
  it("never seals the same text to the same bytes", () => {
    const ring = KeyRing.parse(key("a"));
    expect(ring.seal(Buffer.from("secret"), "c")).not.toBe(ring.seal(Buffer.from("secret"), "c"));
  });
  it("refuses a value that was moved to another context", () => {
    const ring = KeyRing.parse(key("a"));
    const sealed = ring.seal(Buffer.from("secret"), "v1|session-1|creds");
    expect(() => ring.open(sealed, "v1|session-2|creds")).toThrow();
  });
  it("refuses a value with any byte altered", () => {
    const ring = KeyRing.parse(key("a"));
    const [id = "", body = ""] = ring.seal(Buffer.from("secret"), "c").split(".");
    const bytes = Buffer.from(body, "base64url");
    for (let i = 0; i < bytes.length; i += 1) {
      const altered = Buffer.from(bytes);
      altered[i] = (altered[i] ?? 0) ^ 1;
      expect(() => ring.open(`${id}.${altered.toString("base64url")}`, "c")).toThrow();
    }
  });
  it("seals under the first key and opens under every key of the ring", () => {
    const [old, fresh] = [key("a"), key("b")];
    const sealed = KeyRing.parse(old).seal(Buffer.from("secret"), "c");
    const rotated = KeyRing.parse(`${fresh},${old}`);
    expect(rotated.open(sealed, "c").toString()).toBe("secret");
    expect(rotated.seal(Buffer.from("x"), "c").startsWith("b.")).toBe(true);
    expect(() => KeyRing.parse(fresh).open(sealed, "c")).toThrow(/no key/);
  });
  it.each([
    "",
    "a",
    "a:short",
    `a:${randomBytes(31).toString("base64")}`,
    `${key("a")},${key("a")}`,
    `ab:${randomBytes(32).toString("base64")}`,
  ])("refuses the ring %#", (text) => {
    expect(() => parseKeyRing(text)).toThrow();
  });
  it("names no key material in its complaints", () => {
    const material = randomBytes(31).toString("base64");
    expect(() => parseKeyRing(`a:${material}`)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(material) as string }),
    );
  });
});
