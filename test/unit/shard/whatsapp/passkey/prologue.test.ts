import { createHash, createHmac, hkdfSync } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { x25519PublicKey } from "../../../../../shard/whatsapp/network/x25519.js";
import { lateReason, stepOf, type PasskeyAttempt } from "../../../../../shard/whatsapp/passkey/passkey-attempt.js";
import { passkeyCode } from "../../../../../shard/whatsapp/passkey/pairing-code.js";
import {
  handoffKey,
  handoffProof,
  makePrologue,
  readPrimaryIdentity,
  sealPairingRequest,
} from "../../../../../shard/whatsapp/passkey/prologue.js";
import { readRequestOptions } from "../../../../../shard/whatsapp/passkey/request-options.js";
import { isHandoffProof, PrimarySide, readPrologue } from "../../../../sandbox/whatsapp/protocol/passkey/primary.js";

const secret = Buffer.alloc(32, 3);
const keys = { noiseKey: Buffer.alloc(32, 1), identity: Buffer.alloc(32, 2), advSecret: Buffer.alloc(32, 4) };

describe("a prologue", () => {
  it("commits this device to an unpredictable nonce, under a key of this attempt only", () => {
    const { side, payload } = makePrologue("the ref", 1);
    const { companionEphemeralIdentity, commitment } = proto.ProloguePayload.decode(payload);
    const identity = Buffer.from(companionEphemeralIdentity ?? []);
    expect(proto.CompanionEphemeralIdentity.decode(identity)).toMatchObject({ deviceType: 1, ref: "the ref" });
    expect(Buffer.from(proto.CompanionEphemeralIdentity.decode(identity).publicKey ?? [])).toEqual(x25519PublicKey(side.privateKey));
    expect(Buffer.from(commitment?.hash ?? [])).toEqual(createHash("sha256").update(identity).update(side.nonce).digest());
    expect(makePrologue("the ref", 1).side.nonce).not.toEqual(side.nonce);
  });

  it("is proven by the secret of the code that was scanned or typed, and by no other", () => {
    const { payload } = makePrologue("r", 1);
    const key = Buffer.from(hkdfSync("sha256", secret, "", "shortcake-passkey-handoff-v1", 32));
    expect(handoffProof(handoffKey(secret), payload)).toEqual(createHmac("sha256", key).update(payload).digest());
    expect(isHandoffProof(handoffProof(handoffKey(secret), payload), secret, Buffer.from(payload))).toBe(true);
    expect(isHandoffProof(handoffProof(handoffKey(Buffer.alloc(32)), payload), secret, Buffer.from(payload))).toBe(false);
  });

  it("leads both sides to one code, and the phone to the keys of the device", () => {
    for (let round = 0; round < 20; round++) {
      const { side, payload } = makePrologue("ref", 1);
      const phone = new PrimarySide(readPrologue(Buffer.from(payload)));
      const primary = readPrimaryIdentity(phone.identity);
      if (primary === undefined) throw new Error("no identity");
      expect(phone.isCommitted(side.nonce)).toBe(true);
      expect(passkeyCode(primary, side.nonce)).toBe(phone.code(side.nonce));
      expect(phone.open(Buffer.from(sealPairingRequest(side, primary, keys)))).toEqual(keys);
    }
  });

  it("shows the code of the bytes as the platform writes them", () => {
    const nonce = Buffer.concat([Buffer.of(0x00, 0x44, 0x32, 0x14, 0xc7), Buffer.alloc(27)]);
    const publicKey = Buffer.alloc(32, 9);
    const companion = Buffer.alloc(32, 8);
    const digest = createHash("sha256").update(companion).update(publicKey).digest();
    const hidden = Buffer.from(nonce.map((byte, i) => (i < 5 ? byte ^ (digest[i] ?? 0) : byte)));
    // 00 44 32 14 c7 in groups of five bits: 0, 1, 2, 3, 4, 5, 6, 7.
    expect(passkeyCode({ publicKey, nonce: hidden }, companion)).toBe("1234-5678");
  });

  it("takes no key of another length from the phone, and none that gives no secret", () => {
    const identity = (publicKey: Buffer, nonce: Buffer): Buffer =>
      Buffer.from(proto.PrimaryEphemeralIdentity.encode({ publicKey, nonce }).finish());
    expect(readPrimaryIdentity(undefined)).toBeUndefined();
    expect(readPrimaryIdentity(Buffer.of(0xff))).toBeUndefined();
    expect(readPrimaryIdentity(identity(Buffer.alloc(31), Buffer.alloc(32)))).toBeUndefined();
    expect(readPrimaryIdentity(identity(Buffer.alloc(32), Buffer.alloc(33)))).toBeUndefined();
    const { side } = makePrologue("r", 1);
    expect(() => sealPairingRequest(side, { publicKey: Buffer.alloc(32), nonce: Buffer.alloc(32) }, keys)).toThrow();
  });
});

describe("the platform's question", () => {
  const stanza = (content: unknown): Parameters<typeof readRequestOptions>[0] => ({
    tag: "notification",
    attrs: {},
    content: [
      { tag: "passkey_request_options", attrs: {}, content: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)) },
    ],
  });
  const options = { challenge: "A".repeat(43), timeout: 600_000, rpId: "whatsapp.com", userVerification: "required", later: { more: 1 } };

  it("goes to the browser as it is", () => {
    expect(readRequestOptions(stanza(options))).toEqual(options);
  });
  it.each([
    ["no JSON", "{"],
    ["no UTF-8", Buffer.from([0xff, 0xfe]).toString("latin1")],
    ["another site's", { ...options, rpId: "example.com" }],
    ["a site's below the platform's", { ...options, rpId: "web.whatsapp.com" }],
    ["a challenge that is too short to be one", { ...options, challenge: "AAAA" }],
    ["a challenge in another alphabet", { ...options, challenge: `${"A".repeat(42)}+` }],
    ["no challenge", { rpId: "whatsapp.com" }],
    ["a passkey that is none", { ...options, allowCredentials: [{ id: "QQ", type: "password" }] }],
    ["far too much", { ...options, later: "x".repeat(20_000) }],
  ])("is refused: %s", (_, content) => {
    expect(readRequestOptions(stanza(content))).toBeUndefined();
  });
  it("is none without its node", () => {
    expect(readRequestOptions({ tag: "notification", attrs: {} })).toBeUndefined();
  });
});

describe("what a session shows of an attempt", () => {
  const parts = { token: "t", handoffKey: secret, handoffUntil: 0, advSecret: secret, until: Date.parse("2026-11-22T23:10:00.000Z") };
  const { side } = makePrologue("r", 1);
  const primary = { publicKey: Buffer.alloc(32, 9), nonce: Buffer.alloc(32) };
  const expires = "2026-11-22T23:10:00.000Z";
  const options = { challenge: "AAAA", rpId: "whatsapp.com" };
  const code = passkeyCode(primary, side.nonce);
  const table: readonly (readonly [PasskeyAttempt, object, RegExp])[] = [
    [{ phase: "challenge", options, ...parts }, { step: "challenge", options, code: "" }, /timed out/],
    [{ phase: "sent", side, proven: true, ...parts }, { step: "sent", code: "" }, /phone did not continue/],
    [{ phase: "revealed", side, proven: true, primary, ...parts }, { step: "sent", code: "" }, /not confirmed/],
    [{ phase: "revealed", side, proven: false, primary, ...parts }, { step: "confirm", code }, /not confirmed/],
    [{ phase: "confirmed", side, primary, ...parts }, { step: "sent", code: "" }, /did not link/],
  ];
  it.each(table)("%#", (attempt, shown, late) => {
    expect(stepOf(attempt)).toEqual({ ...shown, token: "t", expires });
    expect(lateReason(attempt)).toMatch(late);
  });
});
