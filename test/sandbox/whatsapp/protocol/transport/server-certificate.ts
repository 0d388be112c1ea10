/**
 * The server's identity: a root key that clients trust, an intermediate key signed by it, and the server's static key signed by the
 * intermediate key.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Curve, type KeyPair, proto } from "@whiskeysockets/baileys";
import typia from "typia";
import { writeOnce } from "../../../files/write-once.js";
import type { CertificateForgery } from "../../forgeries.js";

/** The static key of a server, and the encoded `CertChain` that certifies it. */
export interface ShownCertificate {
  readonly staticKey: KeyPair;
  readonly chain: Buffer;
}

interface StoredKeys {
  readonly root: StoredPair;
  readonly intermediate: StoredPair;
  readonly leaf: StoredPair;
}

/** Base64. */
interface StoredPair {
  readonly public: string;
  readonly private: string;
}

interface Keys {
  readonly root: KeyPair;
  readonly intermediate: KeyPair;
  readonly leaf: KeyPair;
}

const { Details } = proto.CertChain.NoiseCertificate;
/** 2100-01-01 and 2000-01-01 in Unix seconds. */
const notAfter = 4_102_444_800;
const longPast = 946_684_800;

export class ServerCertificate implements ShownCertificate {
  /** The 32 bytes that a client uses as `WA_CERT_DETAILS.PUBLIC_KEY`. */
  readonly rootPublicKey: Buffer;
  readonly staticKey: KeyPair;
  readonly chain: Buffer;

  private constructor(private readonly keys: Keys) {
    this.rootPublicKey = Buffer.from(keys.root.public);
    this.staticKey = keys.leaf;
    this.chain = signedChain(keys);
  }

  /** Returns the certificate of a server in the middle, which is wrong in one respect only. */
  forged(what: CertificateForgery): ShownCertificate {
    const { keys, staticKey, chain } = this;
    switch (what) {
      case "certificate-root":
        return { staticKey, chain: signedChain({ ...keys, root: Curve.generateKeyPair() }) };
      case "certificate-signature":
        return { staticKey, chain: signedChain(keys, { signer: Curve.generateKeyPair() }) };
      case "certificate-issuer":
        return { staticKey, chain: signedChain(keys, { issuerSerial: 3 }) };
      case "certificate-server":
        return { staticKey: Curve.generateKeyPair(), chain };
      case "certificate-date":
        return { staticKey, chain: signedChain(keys, { notAfter: longPast }) };
      default:
        return what satisfies never;
    }
  }

  /** Reads the keys, or creates the file. If several sandboxes start at once, one of them creates it. */
  static open(path: string): ServerCertificate {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path))
      writeOnce(path, JSON.stringify({ root: newPair(), intermediate: newPair(), leaf: newPair() } satisfies StoredKeys));
    const stored = typia.assert<StoredKeys>(JSON.parse(readFileSync(path, "utf8")));
    return new ServerCertificate({ root: toPair(stored.root), intermediate: toPair(stored.intermediate), leaf: toPair(stored.leaf) });
  }
}

interface LeafOptions {
  readonly signer?: KeyPair;
  readonly issuerSerial?: number;
  readonly notAfter?: number;
}

/** The defaults yield the server's own certificate. */
function signedChain({ root, intermediate, leaf }: Keys, { signer = intermediate, ...given }: LeafOptions = {}): Buffer {
  // The client requires issuer 0 in the intermediate certificate.
  const above = Details.encode({ serial: 1, issuerSerial: 0, key: intermediate.public, notBefore: 0, notAfter }).finish();
  const own = Details.encode({ serial: 2, issuerSerial: 1, key: leaf.public, notBefore: 0, notAfter, ...given }).finish();
  return Buffer.from(
    proto.CertChain.encode({
      intermediate: { details: above, signature: Curve.sign(root.private, above) },
      leaf: { details: own, signature: Curve.sign(signer.private, own) },
    }).finish(),
  );
}

function newPair(): StoredPair {
  const pair = Curve.generateKeyPair();
  return { public: Buffer.from(pair.public).toString("base64"), private: Buffer.from(pair.private).toString("base64") };
}

function toPair(stored: StoredPair): KeyPair {
  return { public: Buffer.from(stored.public, "base64"), private: Buffer.from(stored.private, "base64") };
}
