/** The data centres' RSA key. Clients must know it, and it decrypts the first secret of a key exchange. */
import { constants, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, privateDecrypt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { serializeBytes } from "telegram/tl/generationHelpers.js";
import { writeOnce } from "../../../files/write-once.js";
import { ProtocolViolation } from "../violation.js";
import { sha1 } from "./digest.js";

const modulusBits = 2_048;
const modulusBytes = modulusBits / 8;

/** The key for a client: `n` in decimal, and the fingerprint as GramJS uses it, in signed decimal. */
export interface PublicRsaKey {
  readonly n: string;
  readonly e: number;
  readonly fingerprint: string;
}

export class ServerRsa {
  readonly publicKey: PublicRsaKey;
  /** PKCS#1 PEM, which some clients require. */
  readonly publicPem: string;

  constructor(private readonly privateKey: KeyObject) {
    const { n = "", e = "" } = privateKey.export({ format: "jwk" });
    const modulus = Buffer.from(n, "base64url");
    const exponent = Buffer.from(e, "base64url");
    if (modulus.length !== modulusBytes) throw new Error(`the server key must be RSA of ${modulusBits} bits`);
    const fingerprint = sha1(serializeBytes(modulus), serializeBytes(exponent)).readBigInt64LE(12);
    this.publicKey = {
      n: BigInt(`0x${modulus.toString("hex")}`).toString(),
      e: exponent.readUIntBE(0, exponent.length),
      fingerprint: fingerprint.toString(),
    };
    this.publicPem = createPublicKey(privateKey).export({ format: "pem", type: "pkcs1" }).toString();
  }

  /** Reads the key from a PEM file, or creates the file with a new key. */
  static open(pemPath: string): ServerRsa {
    if (!existsSync(pemPath)) {
      mkdirSync(dirname(pemPath), { recursive: true });
      writeOnce(pemPath, newKey().export({ format: "pem", type: "pkcs8" }));
    }
    return new ServerRsa(createPrivateKey(readFileSync(pemPath)));
  }

  /** Decrypts the 256 bytes of a client. */
  decrypt(encrypted: Buffer): Buffer {
    if (encrypted.length !== modulusBytes) throw new ProtocolViolation("encrypted data of the wrong length");
    try {
      return privateDecrypt({ key: this.privateKey, padding: constants.RSA_NO_PADDING }, encrypted);
    } catch (error) {
      throw new ProtocolViolation("encrypted data that is no number below the modulus", { cause: error });
    }
  }
}

/** mtcute drops a fingerprint's leading zeros and would not find one key in 16. */
function newKey(): KeyObject {
  for (;;) {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: modulusBits, publicExponent: 65_537 });
    const { fingerprint } = new ServerRsa(privateKey).publicKey;
    if (BigInt.asUintN(64, BigInt(fingerprint)) >> 60n !== 0n) return privateKey;
  }
}
