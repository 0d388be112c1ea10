/**
 * The phone's side of linking by an 8-character code. The code wraps both ephemeral keys: with a wrong code the secrets differ, and the
 * companion's last message does not decrypt.
 */
import { hkdfSync, randomBytes } from "node:crypto";
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  type BinaryNode,
  Curve,
  derivePairingCodeKey,
  type KeyPair,
} from "@whiskeysockets/baileys";
import { serverJid } from "../../whatsapp-backend.js";
import { node, stanzaId, unixSeconds } from "../node.js";

/** Salt, IV and the companion's wrapped ephemeral key. */
const wrappedKeyBytes = 32 + 16 + 32;
/** Salt, IV, three keys and the tag. */
const keyBundleBytes = 32 + 12 + 96 + 16;

export class CodeExchange {
  readonly reference = randomBytes(16);
  private readonly ephemeral = Curve.generateKeyPair();
  private shared: Buffer | undefined;

  /** `wrapped` is the companion's ephemeral key in `companion_hello`. */
  constructor(
    readonly phone: string,
    private readonly wrapped: Buffer,
  ) {
    if (wrapped.length !== wrappedKeyBytes) throw new RangeError("wrong length of the wrapped key");
  }

  /** Returns the notification for the companion after the code was typed. */
  async primaryHello(code: string, primaryIdentity: KeyPair): Promise<BinaryNode> {
    const { wrapped } = this;
    const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32));
    const companionEphemeral = aesDecryptCTR(wrapped.subarray(48), key, wrapped.subarray(32, 48));
    this.shared = Curve.sharedKey(this.ephemeral.private, companionEphemeral);
    const salt = randomBytes(32);
    const iv = randomBytes(16);
    const wrappedPrimary = Buffer.concat([salt, iv, aesEncryptCTR(this.ephemeral.public, await derivePairingCodeKey(code, salt), iv)]);
    return node("notification", { from: serverJid, type: "link_code_companion_reg", id: stanzaId(), t: unixSeconds() }, [
      node("link_code_companion_reg", { stage: "primary_hello" }, [
        node("link_code_pairing_ref", {}, this.reference),
        node("primary_identity_pub", {}, primaryIdentity.public),
        node("link_code_pairing_wrapped_primary_ephemeral_pub", {}, wrappedPrimary),
      ]),
    ]);
  }

  /** Returns the pairing secret from the companion's last message. Throws when the code was wrong. */
  advSecret(bundle: Buffer, primaryIdentity: KeyPair, companionIdentity: Buffer): Buffer {
    const { shared } = this;
    if (!shared || bundle.length !== keyBundleBytes) throw new Error("pairing code message out of turn");
    const key = Buffer.from(hkdfSync("sha256", shared, bundle.subarray(0, 32), "link_code_pairing_key_bundle_encryption_key", 32));
    const plain = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0));
    if (!plain.subarray(0, 32).equals(companionIdentity)) throw new Error("pairing code message of another identity");
    const secret = Buffer.concat([shared, Curve.sharedKey(primaryIdentity.private, companionIdentity), plain.subarray(64)]);
    return Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), "adv_secret", 32));
  }
}
