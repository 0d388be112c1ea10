import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { RecordTexts } from "../../../../shared/session/record-texts.js";
import { SessionKey } from "../../../../shared/session/session-key.js";
import { sealedFields } from "../../../harness/sealed-fields.js";
import { testRing } from "../../../harness/owned-session.js";

const id = newSessionId(Date.now());
const bytes = randomBytes(32);
const key = new SessionKey(id, bytes);

describe("a session's key", () => {
  it("opens what it sealed, for that session and field alone", () => {
    const sealed = key.seal(Buffer.from("Ada"), "state");
    expect(key.open(sealed, "state").toString()).toBe("Ada");
    expect(sealed.includes("Ada")).toBe(false);
    expect(() => key.open(sealed, "account")).toThrow();
    expect(() => new SessionKey(newSessionId(Date.now()), bytes).open(sealed, "state")).toThrow();
    expect(() => new SessionKey(id, randomBytes(32)).open(sealed, "state")).toThrow();
  });

  it("names the same alike, and what is another, of another kind or of another key not", () => {
    const name = key.name("peer", "555666777");
    expect(name).toMatch(/^#[\w-]{22}$/);
    expect(new SessionKey(newSessionId(Date.now()), bytes).name("peer", "555666777")).toBe(name);
    const others = [
      key.name("peer", "555666778"),
      key.name("message", "555666777"),
      new SessionKey(id, randomBytes(32)).name("peer", "555666777"),
    ];
    expect(new Set([name, ...others]).size).toBe(4);
  });

  it.each(["", "{", "Ada", "\u{1f600}"])("opens its texts: %j", (text) => {
    expect(key.openText(key.sealText(text, "label"), "label")).toBe(text);
  });
});

describe("texts of a record", () => {
  const { dk, label } = sealedFields(id, { label: "of Ada" });

  it("are opened, and empty where there is none", () => {
    const texts = new RecordTexts(testRing, id, Buffer.from(dk));
    expect([Buffer.from(label), Buffer.of(), null].map((stored) => texts.open(stored, "label"))).toEqual(["of Ada", "", ""]);
    for (const [stored, field] of [
      [Buffer.from(label), "metadata"],
      [Buffer.from("of Ada"), "label"],
    ] as const)
      expect(() => texts.open(stored, field)).toThrow(`stored ${field} cannot be opened`);
  });

  it.each([null, Buffer.from("z.AAAA"), Buffer.from("")])("do not open without their data key: %j", (wrapped) => {
    const texts = new RecordTexts(testRing, id, wrapped);
    expect(() => texts.open(Buffer.from(label), "label")).toThrow("stored data key cannot be opened");
  });
});
