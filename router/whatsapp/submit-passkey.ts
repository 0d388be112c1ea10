import typia from "typia";
import type { Input } from "../../shared/contract/commands.js";
import type { PasskeyCredential } from "../../shared/contract/passkey.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

/**
 * Parses POST /session/passkey: `{credential}`. Only the session's owner knows the challenge and verifies the credential. Other fields are
 * dropped.
 */
export function parsePasskey({ body }: HttpInput): Input<"whatsapp", "submit-passkey"> {
  const { credential } = orThrow(validate(body), wording);
  const { id, rawId, type, response } = credential;
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { credential: { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } } };
}

/** A signed passkey credential. */
export interface PasskeyForm {
  /** Result of `PublicKeyCredential.toJSON()`. */
  credential: PasskeyCredential;
}

const validate = typia.createValidate<PasskeyForm>();
