/** An account's passkey: a P-256 key as an authenticator holds it, and the browser's assertion for a challenge. */
import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";

/** The JSON form of `PublicKeyCredentialRequestOptions`, with byte strings in base64url. */
export interface RequestOptions {
  readonly challenge: string;
  readonly timeout: number;
  readonly rpId: string;
  readonly allowCredentials: readonly { readonly id: string; readonly type: "public-key"; readonly transports: readonly string[] }[];
  readonly userVerification: "required";
  readonly extensions: { readonly uvm: true };
}

/** The result of `PublicKeyCredential.toJSON()`. */
export interface CredentialJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly authenticatorAttachment: "platform";
  readonly clientExtensionResults: Readonly<Record<string, never>>;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string | null;
  };
}

export const relyingParty = "whatsapp.com";
/** The platform accepts assertions only from pages of this origin. */
export const platformOrigin = "https://web.whatsapp.com";
export const challengeMs = 600_000;

/** Flags: user present, user verified. */
const presentAndVerified = 0x05;

export class Passkey {
  readonly credentialId: Buffer;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  private readonly userHandle: Buffer;

  /** Derives the key from the phone number, so that it survives a restart. */
  constructor(phone: string) {
    const bytes = (of: string): Buffer => createHash("sha256").update(`passkey ${of} of ${phone}`).digest();
    const curve = createECDH("prime256v1");
    curve.setPrivateKey(bytes("key"));
    const point = curve.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
    const jwk = { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" };
    this.privateKey = createPrivateKey({ key: { ...jwk, d: bytes("key").toString("base64url") }, format: "jwk" });
    this.publicKey = createPublicKey({ key: jwk, format: "jwk" });
    this.credentialId = bytes("id").subarray(0, 20);
    this.userHandle = bytes("user");
  }

  requestOptions(challenge: Buffer): RequestOptions {
    return {
      challenge: challenge.toString("base64url"),
      timeout: challengeMs,
      rpId: relyingParty,
      allowCredentials: [{ id: this.credentialId.toString("base64url"), type: "public-key", transports: ["hybrid", "internal"] }],
      userVerification: "required",
      extensions: { uvm: true },
    };
  }

  /** Returns the assertion that the browser gives to a page of `origin`. */
  assert({ challenge, rpId }: Pick<RequestOptions, "challenge" | "rpId">, origin = platformOrigin): CredentialJson {
    const clientData = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }));
    const authenticatorData = Buffer.concat([sha256(Buffer.from(rpId)), Buffer.of(presentAndVerified), Buffer.alloc(4)]);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), this.privateKey);
    const id = this.credentialId.toString("base64url");
    return {
      id,
      rawId: id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: this.userHandle.toString("base64url"),
      },
    };
  }
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
