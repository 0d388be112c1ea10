/** Verifies an assertion on the server as WebAuthn requires. */
import { verify } from "node:crypto";
import typia from "typia";
import { type Passkey, platformOrigin, relyingParty, sha256 } from "./passkey.js";

/** The client's JSON: exactly these fields. */
interface SentAssertion {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string | null;
  };
}

interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
}

/** Returns the fault of an assertion, or `undefined`. `credentialId` is the id in the stanza next to it. */
export function faultOfAssertion(passkey: Passkey, challenge: Buffer, credentialId: Buffer, assertion: Buffer): string | undefined {
  let sent: SentAssertion;
  let clientData: ClientData;
  try {
    sent = typia.assertEquals<SentAssertion>(JSON.parse(assertion.toString()));
    clientData = typia.assert<ClientData>(JSON.parse(bytesOf(sent.response.clientDataJSON).toString()));
  } catch {
    return "assertion is not readable";
  }
  const { response, id, rawId } = sent;
  const authenticatorData = bytesOf(response.authenticatorData);
  const signed = Buffer.concat([authenticatorData, sha256(bytesOf(response.clientDataJSON))]);
  const faults: readonly (readonly [boolean, string])[] = [
    [!credentialId.equals(passkey.credentialId) || id !== rawId || !bytesOf(rawId).equals(credentialId), "another credential"],
    [clientData.type !== "webauthn.get", "not an assertion"],
    [clientData.challenge !== challenge.toString("base64url"), "another challenge"],
    [clientData.origin !== platformOrigin, "another origin"],
    [
      authenticatorData.length < 37 || !authenticatorData.subarray(0, 32).equals(sha256(Buffer.from(relyingParty))),
      "another relying party",
    ],
    [((authenticatorData[32] ?? 0) & 0x05) !== 0x05, "user not verified"],
    [!verify("sha256", signed, passkey.publicKey, bytesOf(response.signature)), "signature is wrong"],
  ];
  return faults.find(([isWrong]) => isWrong)?.[1];
}

function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}
