import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import typia from "typia";
import type { PasskeyOptions } from "../../../shared/contract/passkey.js";
import { bytesOf } from "./stanza.js";

/**
 * Returns the options in a stanza with `<passkey_request_options>`; `undefined` when they are unreadable, or when no browser could sign
 * them for the platform.
 */
export function readRequestOptions(stanza: BinaryNode): PasskeyOptions | undefined {
  const bytes = bytesOf(getBinaryNodeChild(stanza, "passkey_request_options"));
  if (bytes === undefined || bytes.length > maxBytes) return undefined;
  try {
    const options: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isOptions(options) && isSupported(options) ? options : undefined;
  } catch {
    return undefined;
  }
}

/** The platform's own domain: challenges for another site's passkey are refused. */
export const relyingParty = "whatsapp.com";
const maxBytes = 16 * 1024;
/** WebAuthn recommends 16 random bytes at least. */
const challengeMinBytes = 16;

function isSupported({ challenge, rpId, allowCredentials = [] }: PasskeyOptions): boolean {
  return (
    rpId === relyingParty &&
    isBase64Url(challenge) &&
    Buffer.from(challenge, "base64url").length >= challengeMinBytes &&
    allowCredentials.every(({ id, type }) => isBase64Url(id) && type === "public-key")
  );
}

/** True for non-empty base64url without padding. */
export const isBase64Url = (text: string): boolean => /^[A-Za-z0-9_-]+$/.test(text) && text.length % 4 !== 1;

const isOptions = typia.createIs<PasskeyOptions>();
