import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PasskeyCredential, PasskeyOptions } from "../../../../../shared/contract/passkey.js";
import { credentialFault, toSentAssertion } from "../../../../../shard/whatsapp/passkey/credential-fault.js";
import { Passkey } from "../../../../sandbox/whatsapp/protocol/passkey/passkey.js";

const passkey = new Passkey("6281155501014");
const options: PasskeyOptions = (({ allowCredentials, extensions, ...rest }) => ({
  ...rest,
  extensions: { ...extensions },
  allowCredentials: allowCredentials.map(({ id, type, transports }) => ({ id, type, transports: [...transports] })),
}))(passkey.requestOptions(Buffer.alloc(32, 7)));
const right: PasskeyCredential = passkey.assert({ challenge: options.challenge, rpId: options.rpId });

const encoded = (bytes: Buffer | string): string => Buffer.from(bytes).toString("base64url");
const withClientData = (change: object): PasskeyCredential => {
  const before: unknown = JSON.parse(Buffer.from(right.response.clientDataJSON, "base64url").toString());
  return { ...right, response: { ...right.response, clientDataJSON: encoded(JSON.stringify({ ...Object(before), ...change })) } };
};
const withAuthenticatorData = (rpId: string, flags: number, length = 37): PasskeyCredential => {
  const data = Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.of(flags), Buffer.alloc(4)]).subarray(0, length);
  return { ...right, response: { ...right.response, authenticatorData: encoded(data) } };
};

describe("credentialFault", () => {
  it("finds nothing in what a browser gives, also with what more it may say", () => {
    expect(credentialFault(right, options)).toBeUndefined();
    expect(credentialFault({ ...right, response: { ...right.response, userHandle: null } }, options)).toBeUndefined();
    expect(credentialFault(right, { ...options, allowCredentials: [] })).toBeUndefined();
    expect(credentialFault(withClientData({ crossOrigin: false, other: "x" }), options)).toBeUndefined();
    expect(credentialFault(withAuthenticatorData("whatsapp.com", 0x01), { ...options, userVerification: "preferred" })).toBeUndefined();
  });

  const wrong: readonly (readonly [string, PasskeyCredential, string])[] = [
    ["padding", { ...right, id: `${right.id}=` }, "id must be base64url without padding"],
    [
      "nothing for a signature",
      { ...right, response: { ...right.response, signature: "" } },
      "signature must be base64url without padding",
    ],
    [
      "a text that is far too long",
      { ...right, response: { ...right.response, signature: "A".repeat(8_200) } },
      "signature must be base64url without padding",
    ],
    [
      "a signature that is cut",
      { ...right, response: { ...right.response, signature: encoded(Buffer.from(right.response.signature, "base64url").subarray(0, 59)) } },
      "signature is too short",
    ],
    ["another kind of credential", { ...right, type: "password" }, "type must be public-key"],
    ["two ids", { ...right, rawId: encoded("other") }, "id and rawId must be the same"],
    ["another passkey", { ...right, id: encoded("other"), rawId: encoded("other") }, "it is none of the passkeys that were asked for"],
    ["no client data", { ...right, response: { ...right.response, clientDataJSON: encoded("{") } }, "clientDataJSON is not readable"],
    ["a registration", withClientData({ type: "webauthn.create" }), "it is no answer to a challenge"],
    ["another challenge", withClientData({ challenge: encoded("x") }), "it was made for a different challenge"],
    [
      "a page with a similar name",
      withClientData({ origin: "https://web.whatsapp.com.example" }),
      "it was made on another page than https://web.whatsapp.com",
    ],
    ["a page within a page", withClientData({ crossOrigin: true }), "it was made in a page within another page"],
    ["cut data", withAuthenticatorData("whatsapp.com", 0x05, 36), "authenticatorData is too short"],
    ["another site", withAuthenticatorData("example.com", 0x05), "it is a passkey of another site"],
    ["nobody", withAuthenticatorData("whatsapp.com", 0x04), "nobody was there"],
    ["a person who was not verified", withAuthenticatorData("whatsapp.com", 0x01), "the person was not verified"],
  ];
  it.each(wrong)("refuses %s", (_, credential, sentence) => {
    expect(credentialFault(credential, options)).toBe(`credential: ${sentence}`);
  });
});

it("sends exactly the fields that the platform accepts, in their order", () => {
  const { id, response } = right;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const sent = JSON.stringify({
    id,
    rawId: id,
    type: "public-key",
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  });
  expect(toSentAssertion({ ...right, authenticatorAttachment: "platform" } as PasskeyCredential).toString()).toBe(sent);
  const { userHandle: _, ...withoutHandle } = response;
  expect(JSON.parse(toSentAssertion({ ...right, response: withoutHandle }).toString())).toMatchObject({ response: { userHandle: null } });
});
