/** The registration of a client that wants to be linked, and the references in its QR codes. */
import { randomBytes } from "node:crypto";
import { type BinaryNode, generateSignalPubKey, proto } from "@whiskeysockets/baileys";
import { serverJid, type SignedPreKey } from "../../whatsapp-backend.js";
import { isSignedBy } from "../crypto/xeddsa.js";
import { node, stanzaId } from "../node.js";
import { orViolation, ProtocolViolation } from "../violation.js";

export interface QrOptions {
  readonly count: number;
  /** Time for which a client shows the first reference, and each later one. */
  readonly firstMs: number;
  readonly nextMs: number;
  /** Extra time for a phone that scanned at the last moment. */
  readonly graceMs: number;
}

export const defaultQrOptions: QrOptions = { count: 6, firstMs: 60_000, nextMs: 20_000, graceMs: 10_000 };

interface Reference {
  readonly text: string;
  readonly expiresAt: number;
}

export class Registration {
  readonly identity: Buffer;
  readonly registrationId: number;
  readonly signedPreKey: SignedPreKey;
  /** The client's operating system, as phones list it. */
  readonly os: string;
  /** Kind of browser or program that the client claims to be. */
  readonly platformType: number;
  private readonly references: readonly Reference[];

  /** Throws a ProtocolViolation when the keys are incomplete or not signed by the identity. */
  constructor(data: proto.ClientPayload.IDevicePairingRegistrationData, options: QrOptions) {
    this.identity = exactly(data.eIdent, 32);
    this.registrationId = exactly(data.eRegid, 4).readUInt32BE(0);
    this.signedPreKey = { id: exactly(data.eSkeyId, 3), value: exactly(data.eSkeyVal, 32), signature: exactly(data.eSkeySig, 64) };
    if (!isSignedBy(this.identity, Buffer.from(generateSignalPubKey(this.signedPreKey.value)), this.signedPreKey.signature)) {
      throw new ProtocolViolation("signed prekey is not signed by the identity");
    }
    const props = orViolation("device properties are not decodable", () => proto.DeviceProps.decode(data.deviceProps ?? Buffer.alloc(0)));
    this.os = props.os ?? "";
    this.platformType = props.platformType ?? 0;
    const now = Date.now();
    this.references = Array.from({ length: options.count }, (_, index) => ({
      text: `2@${randomBytes(48).toString("base64")}`,
      expiresAt: now + options.firstMs + index * options.nextMs + options.graceMs,
    }));
  }

  validRefs(): string[] {
    const now = Date.now();
    return this.references.filter(({ expiresAt }) => expiresAt > now).map(({ text }) => text);
  }

  /** Returns the stanza that makes the client show QR codes. */
  pairDevice(): BinaryNode {
    const refs = this.references.map(({ text }) => node("ref", {}, Buffer.from(text)));
    return node("iq", { from: serverJid, type: "set", id: stanzaId(), xmlns: "md" }, [node("pair-device", {}, refs)]);
  }
}

function exactly(bytes: Uint8Array | null | undefined, length: number): Buffer {
  if (bytes?.length !== length) throw new ProtocolViolation("registration with a key of a wrong length");
  return Buffer.from(bytes);
}
