import { createHash, timingSafeEqual } from "node:crypto";
import typia from "typia";
import type { PasskeyCredential, PasskeyOptions } from "../../../shared/contract/passkey.js";
import { isBase64Url } from "./request-options.js";

/**
 * Returns why a credential does not fit a challenge; `undefined` if it may be sent. Checks all that needs no public key: a malformed one
 * may put the number at risk, and one for another challenge uses up the attempt.
 */
export function credentialFault(credential: PasskeyCredential, options: PasskeyOptions): string | undefined {
  const { id, rawId, type, response } = credential;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const texts = { id, rawId, ...{ clientDataJSON, authenticatorData, signature }, ...(userHandle == null ? {} : { userHandle }) };
  const [unreadable] = Object.entries(texts).find(([, text]) => text.length > maxCharacters || !isBase64Url(text)) ?? [];
  if (unreadable !== undefined) return `credential: ${unreadable} must be base64url without padding`;
  const client = clientDataOf(clientDataJSON);
  const data = Buffer.from(authenticatorData, "base64url");
  const flags = data[rpIdHashBytes] ?? 0;
  const { allowCredentials = [] } = options;
  const faults: readonly (readonly [boolean, string])[] = [
    [type !== "public-key", "type must be public-key"],
    [id !== rawId, "id and rawId must be the same"],
    [
      allowCredentials.length > 0 && !allowCredentials.some((allowed) => allowed.id === id),
      "it is none of the passkeys that were asked for",
    ],
    [client === undefined, "clientDataJSON is not readable"],
    [client?.type !== "webauthn.get", "it is no answer to a challenge"],
    [!isSame(client?.challenge ?? "", options.challenge), "it was made for a different challenge"],
    [client?.origin !== platformOrigin, `it was made on another page than ${platformOrigin}`],
    [client?.crossOrigin === true, "it was made in a page within another page"],
    [data.length < authenticatorDataMinBytes, "authenticatorData is too short"],
    [!data.subarray(0, rpIdHashBytes).equals(createHash("sha256").update(options.rpId).digest()), "it is a passkey of another site"],
    [Buffer.from(signature, "base64url").length < signatureMinBytes, "signature is too short"],
    [(flags & userPresent) === 0, "nobody was there"],
    [options.userVerification === "required" && (flags & userVerified) === 0, "the person was not verified"],
  ];
  const sentence = faults.find(([isWrong]) => isWrong)?.[1];
  return sentence === undefined ? undefined : `credential: ${sentence}`;
}

/** Encodes the assertion with the fields and the order that the platform is known to accept. */
export function toSentAssertion({ id, rawId, type, response }: PasskeyCredential): Buffer {
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return Buffer.from(JSON.stringify({ id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }));
}

/** The only origin for which browsers sign the platform's challenges. */
export const platformOrigin = "https://web.whatsapp.com";
/** Limit for each text: real ones have some hundred characters. */
const maxCharacters = 8 * 1024;
const rpIdHashBytes = 32;
/** Hash, flags, counter. */
const authenticatorDataMinBytes = 37;
/** The shortest signature of a passkey has 64 bytes (Ed25519). P-256 signatures have about 70, and RSA signatures more. */
const signatureMinBytes = 60;
const userPresent = 0x01;
const userVerified = 0x04;

interface ClientData {
  type: string;
  challenge: string;
  origin: string;
  crossOrigin?: boolean;
}

const parseClientData = typia.json.createIsParse<ClientData>();

function clientDataOf(text: string): ClientData | undefined {
  try {
    return parseClientData(Buffer.from(text, "base64url").toString()) ?? undefined;
  } catch {
    return undefined;
  }
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
