import { Curve, makeNoiseHandler, NOISE_WA_HEADER, proto, WA_CERT_DETAILS, type KeyPair } from "@whiskeysockets/baileys";
import { beforeAll, describe, expect, it } from "vitest";
import { installPublicKeyCrypto } from "../../../../shard/whatsapp/network/public-key-crypto.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";
import { NoiseResponder } from "../../../sandbox/whatsapp/protocol/transport/noise.js";

const { Details } = proto.CertChain.NoiseCertificate;
const [root, issuer, server, other] = Array.from({ length: 4 }, () => Curve.generateKeyPair()) as [KeyPair, KeyPair, KeyPair, KeyPair];
const now = Math.floor(Date.now() / 1_000);
const year = 365 * 86_400;
const above = { serial: 7, issuerSerial: 0, key: issuer.public, notBefore: now - year, notAfter: now + year };
const own = { serial: 8, issuerSerial: 7, key: server.public, notBefore: now - year, notAfter: now + year };

/** Returns a chain of both certificates, signed by the keys that clients trust. */
function chainOf(leaf: typeof own, intermediate: typeof above): Buffer {
  const [details, aboveDetails] = [Details.encode(leaf).finish(), Details.encode(intermediate).finish()];
  return Buffer.from(
    proto.CertChain.encode({
      leaf: { details, signature: Curve.sign(issuer.private, details) },
      intermediate: { details: aboveDetails, signature: Curve.sign(root.private, aboveDetails) },
    }).finish(),
  );
}

/** Runs the library's handshake with a server that has this key and shows this chain. */
function shake(staticKey: KeyPair, chain: Buffer): Uint8Array {
  const keyPair = Curve.generateKeyPair();
  const client = makeNoiseHandler({ keyPair, NOISE_HEADER: NOISE_WA_HEADER, logger: silentLogger });
  const hello = proto.HandshakeMessage.encode({ clientHello: { ephemeral: keyPair.public } }).finish();
  const responder = new NoiseResponder({ staticKey, chain });
  const response = proto.HandshakeMessage.decode(responder.hello(Buffer.from(hello)));
  return client.processHandshake(response, Curve.generateKeyPair());
}

describe("a server's certificate", () => {
  // These tests run in order: from the next case on, the certificate is refused.
  it("of another server is still taken by the library alone: without that, drop server-certificate.ts", () => {
    Object.assign(WA_CERT_DETAILS, { PUBLIC_KEY: Buffer.from(root.public) });
    expect(shake(other, chainOf(own, above))).toHaveLength(48);
  });

  describe("is taken or refused by the library's own handshake", () => {
    beforeAll(() => installPublicKeyCrypto());

    it("taken", () => {
      expect(shake(server, chainOf(own, above))).toHaveLength(48);
    });
    it.each([
      ["shown by another server", other, own, above, "another server's"],
      ["of another issuer", server, { ...own, issuerSerial: 6 }, above, "another issuer"],
      ["that has run out", server, { ...own, notAfter: now - 60 }, above, "not valid at this time"],
      ["that is of tomorrow", server, { ...own, notBefore: now + 86_400 }, above, "not valid at this time"],
      ["below one that has run out", server, own, { ...above, notAfter: now - 60 }, "not valid at this time"],
      ["that says no dates", server, { ...own, notAfter: 0 }, above, "not valid at this time"],
    ])("refused: %s", (_, key, leaf, intermediate, words) => {
      expect(() => shake(key, chainOf(leaf, intermediate))).toThrow(words);
    });
    it("rejected: signed by an unauthorized key", () => {
      const details = Details.encode(own).finish();
      const chain = proto.CertChain.decode(chainOf(own, above));
      const forged = proto.CertChain.encode({ ...chain, leaf: { details, signature: Curve.sign(other.private, details) } }).finish();
      expect(() => shake(server, Buffer.from(forged))).toThrow("noise certificate signature invalid");
    });
  });
});
