import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import typia from "typia";
import type { PasskeyOptions } from "../../../shared/contract/passkey.js";
import { bytesOf } from "./stanza.js";

/** The options in a stanza that has `<passkey_request_options>`; `undefined` when they are not readable, or nothing that a browser could answer for the platform. */
export function readRequestOptions(stanza: BinaryNode): PasskeyOptions | undefined {
  const bytes = bytesOf(getBinaryNodeChild(stanza, "passkey_request_options"));
  if (bytes === undefined || bytes.length > maxBytes) return undefined;
  try {
    const options: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isOptions(options) && isAnswerable(options) ? options : undefined;
  } catch {
    return undefined;
  }
}

/** The platform's own name: no other site's passkey is asked for through us. */
export const relyingParty = "whatsapp.com";
const maxBytes = 16 * 1024;
/** WebAuthn wants 16 random bytes at least. */
const challengeMinBytes = 16;

function isAnswerable({ challenge, rpId, allowCredentials = [] }: PasskeyOptions): boolean {
  return (
    rpId === relyingParty &&
    isBase64Url(challenge) &&
    Buffer.from(challenge, "base64url").length >= challengeMinBytes &&
    allowCredentials.every(({ id, type }) => isBase64Url(id) && type === "public-key")
  );
}

/** Without padding, and not empty. */
export const isBase64Url = (text: string): boolean => /^[A-Za-z0-9_-]+$/.test(text) && text.length % 4 !== 1;

const isOptions = typia.createIs<PasskeyOptions>();
