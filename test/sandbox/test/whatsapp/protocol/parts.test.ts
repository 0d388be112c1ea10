import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Curve, proto } from "@whiskeysockets/baileys";
import curve from "libsignal/src/curve.js";
import { afterAll, describe, expect, it } from "vitest";
import { signingKeyPair } from "../../../whatsapp/protocol/crypto/signing-key-pair.js";
import { x25519Agreement, x25519KeyPair } from "../../../whatsapp/protocol/crypto/x25519.js";
import { isSignedBy } from "../../../whatsapp/protocol/crypto/xeddsa.js";
import { MemoryKeys } from "../../../whatsapp/protocol/signal/memory-keys.js";
import { useQuickCurve } from "../../../whatsapp/protocol/signal/quick-curve.js";
import { FrameReader } from "../../../whatsapp/protocol/transport/frame-reader.js";
import { decodeNode, encodeNode } from "../../../whatsapp/protocol/transport/node-codec.js";
import { ServerCertificate } from "../../../whatsapp/protocol/transport/server-certificate.js";

const folder = mkdtempSync(join(tmpdir(), "whatsapp-parts-"));

afterAll(() => rmSync(folder, { recursive: true }));

describe("a signature", () => {
  it("of a natively signing key is like any other", () => {
    for (let round = 0; round < 50; round += 1) {
      const { pair, sign } = signingKeyPair();
      const message = randomBytes(33);
      expect(isSignedBy(Buffer.from(pair.public), message, sign(message))).toBe(true);
      expect(isSignedBy(Buffer.from(pair.public), message, Buffer.from(Curve.sign(pair.private, message)))).toBe(true);
      const other = Curve.generateKeyPair();
      expect(Curve.sharedKey(pair.private, other.public)).toEqual(Curve.sharedKey(other.private, pair.public));
    }
  });

  it("is taken for good when it is, whatever the key", () => {
    for (let round = 0; round < 20; round += 1) {
      const pair = Curve.generateKeyPair();
      const message = randomBytes(round * 7);
      expect(isSignedBy(Buffer.from(pair.public), message, Buffer.from(Curve.sign(pair.private, message)))).toBe(true);
    }
  });

  it("is refused when key, message or signature is another", () => {
    const pair = Curve.generateKeyPair();
    const key = Buffer.from(pair.public);
    const message = randomBytes(40);
    const signature = Buffer.from(Curve.sign(pair.private, message));
    expect(isSignedBy(Buffer.from(Curve.generateKeyPair().public), message, signature)).toBe(false);
    expect(isSignedBy(key, randomBytes(40), signature)).toBe(false);
    for (const position of [0, 31, 32, 62]) {
      const changed = Buffer.from(signature);
      changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
      expect(isSignedBy(key, message, changed)).toBe(false);
    }
    expect(isSignedBy(key, message, randomBytes(64))).toBe(false);
    expect(isSignedBy(randomBytes(31), message, signature)).toBe(false);
    expect(isSignedBy(Buffer.alloc(32, 0xff), message, signature)).toBe(false);
  });
});

const hex = (text: string): Buffer => Buffer.from(text, "hex");

describe("an agreement", () => {
  // RFC 7748, section 5.2.
  it.each([
    [
      "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
      "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
      "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ],
    [
      "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
      "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
      "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ],
  ])("of %s is the standard's", (privateKey, publicKey, secret) => {
    expect(x25519Agreement(hex(privateKey), hex(publicKey)).toString("hex")).toBe(secret);
  });

  it.each([
    ["a short private key", randomBytes(31), randomBytes(32)],
    ["a long public key", randomBytes(32), randomBytes(33)],
    ["a key that leaves no secret", randomBytes(32), Buffer.alloc(32)],
  ])("is refused with %s", (_, privateKey, publicKey) => {
    expect(() => x25519Agreement(privateKey, publicKey)).toThrow();
  });

  it("of the phones' quicker way is the library's, with keys of either origin", () => {
    const own = { ...curve };
    useQuickCurve();
    expect(curve.calculateAgreement).not.toBe(own.calculateAgreement);
    expect(curve.generateKeyPair).not.toBe(own.generateKeyPair);
    for (let round = 0; round < 50; round += 1) {
      const [quick, plain] = [curve.generateKeyPair(), own.generateKeyPair()];
      expect(curve.calculateAgreement(plain.pubKey, quick.privKey)).toEqual(own.calculateAgreement(quick.pubKey, plain.privKey));
      const pair = x25519KeyPair();
      expect(x25519Agreement(pair.private, quick.pubKey.subarray(1))).toEqual(
        curve.calculateAgreement(Buffer.concat([Buffer.from([5]), pair.public]), quick.privKey),
      );
    }
    expect(() => curve.calculateAgreement(Buffer.concat([Buffer.from([6]), randomBytes(32)]), randomBytes(32))).toThrow(
      "Invalid public key",
    );
    expect(() => curve.calculateAgreement(Buffer.alloc(33, 5), randomBytes(31))).toThrow();
  });
});

describe("the server's certificate", () => {
  it("stays the same from start to start, in a file of its own user", () => {
    const path = join(folder, "certificate.json");
    const first = ServerCertificate.open(path);
    expect(ServerCertificate.open(path).rootPublicKey).toEqual(first.rootPublicKey);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is a chain that holds: root, intermediate, static key", () => {
    const certificate = ServerCertificate.open(join(folder, "another.json"));
    const { intermediate, leaf } = proto.CertChain.decode(certificate.chain);
    const { Details } = proto.CertChain.NoiseCertificate;
    const intermediateDetails = Buffer.from(intermediate?.details ?? []);
    const leafDetails = Buffer.from(leaf?.details ?? []);
    const intermediateKey = Buffer.from(Details.decode(intermediateDetails).key ?? []);
    expect(isSignedBy(certificate.rootPublicKey, intermediateDetails, Buffer.from(intermediate?.signature ?? []))).toBe(true);
    expect(isSignedBy(intermediateKey, leafDetails, Buffer.from(leaf?.signature ?? []))).toBe(true);
    expect(Details.decode(leafDetails).key).toEqual(certificate.staticKey.public);
  });
});

describe("frames", () => {
  it("are cut where they end, with and without routing info", () => {
    const frame = Buffer.concat([Buffer.from([0, 0, 3]), Buffer.from("abc")]);
    const header = Buffer.from([0x57, 0x41, 0x06, 0x03]);
    const plain = new FrameReader();
    expect([...plain.read(Buffer.concat([header, frame, frame, Buffer.from([0])]))].map(String)).toEqual(["abc", "abc"]);
    expect([...plain.read(frame.subarray(1))].map(String)).toEqual(["abc"]);
    const routed = new FrameReader();
    expect([...routed.read(Buffer.concat([Buffer.from("ED"), Buffer.from([0, 1, 0, 0, 2, 8, 9]), header, frame]))].map(String)).toEqual([
      "abc",
    ]);
    expect(routed.routing).toEqual(Buffer.from([8, 9]));
  });
});

describe("stanzas", () => {
  it("survive encoding, packed or not", () => {
    const stanza = { tag: "iq", attrs: { id: "1", type: "get" }, content: [{ tag: "ping", attrs: {}, content: randomBytes(300) }] };
    expect(decodeNode(encodeNode(stanza))).toEqual(stanza);
  });
});

describe("keys of a user", () => {
  it("survive the disk, and the oldest is dropped first", () => {
    const keys = new MemoryKeys();
    keys.set({
      "pre-key": { 1: Curve.generateKeyPair(), 2: Curve.generateKeyPair() },
      "identity-key": { "1.0": randomBytes(33) },
      session: { gone: null },
    });
    const copy = new MemoryKeys();
    copy.import(JSON.parse(JSON.stringify(keys.export())));
    expect(copy.get("pre-key", ["1", "2"])).toEqual(keys.get("pre-key", ["1", "2"]));
    expect(copy.get("identity-key", ["1.0"])).toEqual(keys.get("identity-key", ["1.0"]));
    copy.dropOldest("pre-key");
    expect(Object.keys(copy.get("pre-key", ["1", "2"]))).toEqual(["2"]);
    expect(() => copy.import([["creds", "1", "{}"]])).toThrow(TypeError);
  });
});
