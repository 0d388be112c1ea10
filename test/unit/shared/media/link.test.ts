import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newSessionId } from "../../../../shared/contract/ids.js";
import type { MediaAddress } from "../../../../shared/contract/media.js";
import { LinkKeys, type LinkParts } from "../../../../shared/media/link.js";

const ring = `a:${randomBytes(32).toString("base64")},b:${randomBytes(32).toString("base64")}`;
const keys = LinkKeys.parse(ring);
const session = newSessionId(Date.now());
const address: MediaAddress = { chatId: "-1001234567890", messageId: "4711", variant: "photo" };

function partsOf(path: string): LinkParts {
  const [, , id = "", chatId = "", messageId = "", variant = "", file = ""] = path.split("/");
  const [signature = "", ext = ""] = file.split(".");
  return { session: id, chatId, messageId, variant, signature, ext };
}

const good = partsOf(keys.sign(session, address, "jpg"));

describe("LinkKeys", () => {
  it("verifies what it signed", () => {
    expect(keys.verify(good)).toEqual(address);
    expect(good.signature).toMatch(/^a[A-Za-z0-9_-]{27}$/);
  });

  it("verifies links of every key of the ring and signs with the first", () => {
    const [a = "", b = ""] = ring.split(",");
    const older = partsOf(LinkKeys.parse(b).sign(session, address, "jpg"));
    expect(older.signature[0]).toBe("b");
    expect(keys.verify(older)).toEqual(address);
    expect(LinkKeys.parse(a).verify(older)).toBeUndefined();
  });

  it("refuses every single changed character of every part", () => {
    const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_|./%";
    let tried = 0;
    for (const name of ["session", "chatId", "messageId", "variant", "signature", "ext"] as const) {
      for (let index = 0; index < good[name].length; index++) {
        for (const char of alphabet) {
          if (char === good[name][index]) continue;
          const changed = good[name].slice(0, index) + char + good[name].slice(index + 1);
          expect(keys.verify({ ...good, [name]: changed }), `${name} ${changed}`).toBeUndefined();
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(4_000);
  });

  it.each<[string, Partial<LinkParts>]>([
    ["signature cut", { signature: good.signature.slice(0, -1) }],
    ["signature longer", { signature: `${good.signature}A` }],
    ["signature longer by a character outside Latin-1", { signature: `${good.signature}\u{1f600}` }],
    ["no signature", { signature: "" }],
    ["other key name", { signature: `b${good.signature.slice(1)}` }],
    ["unknown key name", { signature: `-${good.signature.slice(1)}` }],
    ["other extension", { ext: "png" }],
    ["upper-case extension", { ext: "JPG" }],
    ["other variant", { variant: "thumb" }],
    ["unknown variant", { variant: "original" }],
    ["other session", { session: newSessionId(Date.now()) }],
    ["parts moved across a separator", { chatId: "-1001234567890|4711", messageId: "" }],
    ["padded number", { messageId: "04711" }],
  ])("refuses: %s", (_, change) => {
    expect(keys.verify({ ...good, ...change })).toBeUndefined();
  });

  it("signs no address that could not be verified", () => {
    expect(() => keys.sign(session, { ...address, chatId: "a|b" }, "jpg")).toThrow("cannot be signed");
    expect(() => keys.sign(session, address, "tar.gz")).toThrow("cannot be signed");
  });

  it.each([
    ["", "must be a list of id:base64"],
    ["a", "must be a list of id:base64"],
    ["ab:AAAA", "must be a list of id:base64"],
    [`a:${randomBytes(16).toString("base64")}`, "key a must be 32 bytes"],
    [`${ring},a:${randomBytes(32).toString("base64")}`, "key a stands twice"],
  ])("refuses the ring %s", (text, message) => {
    expect(() => LinkKeys.parse(text)).toThrow(message);
  });
});
