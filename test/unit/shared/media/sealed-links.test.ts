import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sealWith } from "../../../../shared/config/key-ring.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import type { MediaAddress } from "../../../../shared/contract/media.js";
import { packFacts, type FileFacts } from "../../../../shared/media/file-facts.js";
import { LinkKeys, type LinkParts } from "../../../../shared/media/link.js";
import { SealedLinks, splitFile } from "../../../../shared/media/sealed-links.js";

const ring = `a:${randomBytes(32).toString("base64")},b:${randomBytes(32).toString("base64")}`;
const links = new SealedLinks(LinkKeys.parse(ring));
const session = newSessionId(Date.now());
const address: MediaAddress = { chatId: "6281234567890@s.whatsapp.net", messageId: "3EB0C431C26A1916E07A", variant: "file" };
const facts: FileFacts = {
  kind: "video",
  length: 5_000_000_000,
  directPath: "/v/t62.7161-24/12345_678_n.enc?ccb=11-4&oh=01_Q5&oe=66&_nc_sid=5e03e0",
  mediaKey: randomBytes(32),
  encryptedHash: randomBytes(32),
  plainHash: randomBytes(32),
  sidecar: randomBytes(40),
  mimetype: "video/mp4",
  name: "Fôo.mp4",
  author: "123456789@lid",
  fromMe: true,
};

function partsOf(path = ""): LinkParts {
  const [, , id = "", chatId = "", messageId = "", variant = "", file = ""] = path.split("/");
  return { session: id, chatId, messageId, variant, ...splitFile(file) };
}

const good = partsOf(links.seal(session, address, "mp4", facts));

describe("SealedLinks", () => {
  it("opens what it sealed", () => {
    const opened = links.open(good);
    expect(opened?.facts).toEqual(facts);
    expect(opened?.address).toEqual({ ...address, sealed: `${good.signature}.mp4` });
    expect(opened && links.openAddress(session, opened.address)).toEqual(opened);
  });

  it("shows nothing of the facts in the link", () => {
    const bytes = Buffer.from(good.signature.slice(1), "base64url");
    for (const secret of [facts.mediaKey, Buffer.from(facts.directPath), facts.plainHash]) expect(bytes.includes(secret)).toBe(false);
  });

  it("opens links of every key of the ring and seals with the first", () => {
    const [a = "", b = ""] = ring.split(",");
    const older = partsOf(new SealedLinks(LinkKeys.parse(b)).seal(session, address, "mp4", facts));
    expect(older.signature[0]).toBe("b");
    expect(links.open(older)?.facts).toEqual(facts);
    expect(new SealedLinks(LinkKeys.parse(a)).open(older)).toBeUndefined();
  });

  it("refuses every single changed character of every part", () => {
    const alphabet = "09azAZ-_|./%@";
    let tried = 0;
    for (const name of ["session", "chatId", "messageId", "variant", "signature", "ext"] as const) {
      for (let index = 0; index < good[name].length; index++) {
        for (const char of alphabet) {
          if (char === good[name][index]) continue;
          const changed = good[name].slice(0, index) + char + good[name].slice(index + 1);
          expect(links.open({ ...good, [name]: changed }), `${name} ${changed}`).toBeUndefined();
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(4_000);
  });

  it.each<[string, Partial<LinkParts>]>([
    ["signature cut", { signature: good.signature.slice(0, -1) }],
    ["signature longer", { signature: `${good.signature}A` }],
    ["signature with a foreign character", { signature: `${good.signature}\u{1f600}` }],
    ["signature with padding", { signature: `${good.signature}=` }],
    ["no signature", { signature: "" }],
    ["only a key name", { signature: "a" }],
    ["other key name", { signature: `b${good.signature.slice(1)}` }],
    ["unknown key name", { signature: `-${good.signature.slice(1)}` }],
    ["a signature of 2 MiB", { signature: "a".repeat(2 ** 21) }],
    ["other variant", { variant: "thumb" }],
    ["variant of the other platform", { variant: "photo" }],
    ["other extension", { ext: "jpg" }],
    ["other session", { session: newSessionId(Date.now()) }],
    ["upper-case session", { session: good.session.toUpperCase() }],
    ["other chat", { chatId: "6281234567891@s.whatsapp.net" }],
    ["percent-encoded chat", { chatId: "6281234567890%40s.whatsapp.net" }],
    ["other message", { messageId: "3EB0C431C26A1916E07B" }],
  ])("refuses a link with %s", (_, changed) => {
    expect(links.open({ ...good, ...changed })).toBeUndefined();
  });

  it("refuses facts that a stranger sealed under a key of zeros", () => {
    const { signature, ...parts } = good;
    const context = `v1|${parts.session}|${parts.chatId}|${parts.messageId}|${parts.variant}|${parts.ext}`;
    const forged = sealWith(Buffer.alloc(32), packFacts({ ...facts, directPath: "@stranger.example/x" }), context).toString("base64url");
    for (const name of ["z", "-", signature.slice(0, 1)]) expect(links.open({ ...parts, signature: name + forged })).toBeUndefined();
  });

  it.each<[string, MediaAddress, string]>([
    ["a chat with a separator", { ...address, chatId: "1|2@s.whatsapp.net" }, "mp4"],
    ["a chat without a server", { ...address, chatId: "628" }, "mp4"],
    ["a message with a slash", { ...address, messageId: "a/b" }, "mp4"],
    ["an empty message", { ...address, messageId: "" }, "mp4"],
    ["a message of 65 characters", { ...address, messageId: "a".repeat(65) }, "mp4"],
    ["another variant", { ...address, variant: "profile" }, "mp4"],
    ["an extension with a dot", address, "tar.gz"],
  ])("does not seal %s", (_, wrong, ext) => {
    expect(links.seal(session, wrong, ext, facts)).toBeUndefined();
  });

  it("leaves a sidecar out that does not fit, and makes no link above the limit", () => {
    const path = links.seal(session, address, "mp4", { ...facts, sidecar: Buffer.alloc(2_000) });
    expect(links.open(partsOf(path))?.facts.sidecar.length).toBe(0);
    expect(links.seal(session, address, "mp4", { ...facts, directPath: `/${"x".repeat(2_000)}` })).toBeUndefined();
    const longest = links.seal(session, address, "mp4", { ...facts, sidecar: Buffer.alloc(900) });
    expect(longest?.length).toBeGreaterThan(1_500);
    expect(longest?.length).toBeLessThanOrEqual(1_900);
  });
});
