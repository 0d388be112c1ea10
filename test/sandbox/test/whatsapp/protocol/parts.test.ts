import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Curve, proto } from "@whiskeysockets/baileys";
import { afterAll, describe, expect, it } from "vitest";
import { signingKeyPair } from "../../../whatsapp/protocol/crypto/signing-key-pair.js";
import { isSignedBy } from "../../../whatsapp/protocol/crypto/xeddsa.js";
import { MemoryKeys } from "../../../whatsapp/protocol/signal/memory-keys.js";
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
