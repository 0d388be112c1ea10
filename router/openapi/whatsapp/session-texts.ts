import { beginsLogin, behindProxy, callsOfBoth, credentials, pollsLogin, session } from "../calls-of-both.js";
import { whatsappErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("WhatsApp");
const isConnected = "`isConnected` is";

const passkeyId = "n4bQgYhMfWWaL-qgxVrQFaO_Txs";

export const sessionTexts = {
  "create-session": {
    ...calls["create-session"],
    description: beginsLogin("`qrcode` or `pairingCode`", isConnected),
    requests: {
      qr: { summary: "Login by QR code", body: { label: "till 7" } },
      pairing: { summary: "Login by a code to type on the phone", body: { phone: "+1 555 010 0001", metadata: { shop: 7 } } },
      proxy: behindProxy,
    },
    reply: credentials,
    errors: [whatsappErrors.invalidPhone],
  },
  "get-session": {
    ...calls["get-session"],
    description: pollsLogin(isConnected),
    reply: {
      ...credentials,
      generatedId: "15550100001@s.whatsapp.net",
      name: "Alice",
      username: "",
      phone: "15550100001",
      isConnected: true,
      qrcode: "",
      isPasswordRequired: false,
      passwordHint: "",
      picture: "",
      webhook: { url: "", token: "" },
      pairingCode: "",
    },
  },
  "get-passkey": {
    tag: "WhatsApp sessions",
    summary: "See how far the linking by passkey is",
    description:
      "WhatsApp asks more and more accounts for their passkey when a device is linked, after the scan as well as after a typed code. Then `options` are to be answered within 10 minutes by the browser of the account's owner, on a page of `https://web.whatsapp.com`: the page `/passkey` of this service guides, and needs only `token`. Ask every 2 to 3 seconds until `state` is `done` or `failed`.",
    reply: {
      state: "challenge",
      options: {
        challenge: "Zm9yIHRoZSBwYXNza2V5IG9mIGFsaWNl",
        timeout: 600_000,
        rpId: "whatsapp.com",
        allowCredentials: [{ id: passkeyId, type: "public-key", transports: ["hybrid", "internal"] }],
        userVerification: "required",
        extensions: { uvm: true },
      },
      code: "",
      expires: "2026-11-21T14:37:39.000Z",
      reason: "",
      token: "pQ0o8mWcZLkqB1Wd6oH4bq3m2sYb0S3g1u5cQyZr7xE",
    },
    byPasskeyToken: true,
  },
  "submit-passkey": {
    tag: "WhatsApp sessions",
    summary: "Answer with the passkey",
    description:
      "What `PublicKeyCredential.toJSON()` gives for `options`. It is checked before anything of it is sent. When it answers, the platform has taken it; whether the phone links the device is told by `GET /session/passkey`.",
    requests: {
      credential: {
        summary: "What the browser gave",
        body: {
          credential: {
            id: passkeyId,
            rawId: passkeyId,
            type: "public-key",
            response: {
              clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
              authenticatorData: "hpqnVsQRI0g4AbZ9CgzPaAzMdO7GSZfqjWJgzyYfvH4FAAAAAA",
              signature: "MEQCIBhZb2YvSmNxT2RkZ3l1b3VQZGdmZ2hqa2xxd2VyAiB0eXVpb3Bhc2RmZ2hqa2x6eGN2Ym5t",
              userHandle: "VXNlciBvZiB0aGlzIGV4YW1wbGU",
            },
          },
        },
      },
    },
    reply: session,
    errors: [whatsappErrors.invalidPasskey, whatsappErrors.noPasskeyAsked, whatsappErrors.platformError],
    byPasskeyToken: true,
  },
  "confirm-passkey": {
    tag: "WhatsApp sessions",
    summary: "Confirm that the phone shows the same code",
    description:
      "Only where `state` is `confirm`: after an answer that took longer than 5 minutes. Compare `code` with the phone's first, since it tells that nobody stands in between.",
    reply: session,
    errors: [whatsappErrors.noPasskeyCode, whatsappErrors.platformError],
    byPasskeyToken: true,
  },
  "reset-session": { ...calls["reset-session"], reply: session },
  "delete-session": {
    ...calls["delete-session"],
    description: "Nothing of it is kept: from now on the pair of `id` and `session-id` is 404.",
    reply: session,
  },
} satisfies Partial<Texts>;
