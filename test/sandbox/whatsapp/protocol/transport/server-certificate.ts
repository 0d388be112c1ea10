/** The server's identity: a root key that clients trust, an intermediate key that it signed, and the server's static key signed by that. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Curve, type KeyPair, proto } from "@whiskeysockets/baileys";
import typia from "typia";
import { writeOnce } from "../../../files/write-once.js";

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

const { Details } = proto.CertChain.NoiseCertificate;
/** 2100-01-01, in seconds: these certificates are about signatures, not about time. */
const notAfter = 4_102_444_800;

export class ServerCertificate {
  /** 32 bytes; what a client takes as `WA_CERT_DETAILS.PUBLIC_KEY`. */
  readonly rootPublicKey: Buffer;
  readonly staticKey: KeyPair;
  /** Encoded `CertChain`. */
  readonly chain: Buffer;

  private constructor(keys: { readonly root: KeyPair; readonly intermediate: KeyPair; readonly leaf: KeyPair }) {
    const { root, intermediate, leaf } = keys;
    this.rootPublicKey = Buffer.from(root.public);
    this.staticKey = leaf;
    // The client insists on issuer 0 for the intermediate certificate.
    const intermediateDetails = Details.encode({ serial: 1, issuerSerial: 0, key: intermediate.public, notBefore: 0, notAfter }).finish();
    const leafDetails = Details.encode({ serial: 2, issuerSerial: 1, key: leaf.public, notBefore: 0, notAfter }).finish();
    this.chain = Buffer.from(
      proto.CertChain.encode({
        intermediate: { details: intermediateDetails, signature: Curve.sign(root.private, intermediateDetails) },
        leaf: { details: leafDetails, signature: Curve.sign(intermediate.private, leafDetails) },
      }).finish(),
    );
  }

  /** Reads the keys, or writes new ones when the file does not exist. Of several that start at once one writes them. */
  static open(path: string): ServerCertificate {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path))
      writeOnce(path, JSON.stringify({ root: newPair(), intermediate: newPair(), leaf: newPair() } satisfies StoredKeys));
    const stored = typia.assert<StoredKeys>(JSON.parse(readFileSync(path, "utf8")));
    return new ServerCertificate({ root: toPair(stored.root), intermediate: toPair(stored.intermediate), leaf: toPair(stored.leaf) });
  }
}

function newPair(): StoredPair {
  const pair = Curve.generateKeyPair();
  return { public: Buffer.from(pair.public).toString("base64"), private: Buffer.from(pair.private).toString("base64") };
}

function toPair(stored: StoredPair): KeyPair {
  return { public: Buffer.from(stored.public, "base64"), private: Buffer.from(stored.private, "base64") };
}
