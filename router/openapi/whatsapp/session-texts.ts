import {
  beginsLogin,
  behindProxy,
  callsOfBoth,
  credentials,
  limits,
  pollsLogin,
  profileRequests,
  session,
  webhook,
  webhookOff,
} from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
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
      pairing: { summary: "Login by pairing code", body: { phone: "+1 555 010 0001", metadata: { shop: 7 } } },
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
      webhook,
      pairingCode: "",
    },
  },
  "get-passkey": {
    tag: "WhatsApp sessions",
    summary: "Get passkey status",
    description:
      "WhatsApp requests the passkey of some accounts after a scan or a pairing code. The account's owner then has 10 minutes to sign `options` in a browser, on a page of `https://web.whatsapp.com`. The page `/passkey` of this gateway guides the owner and needs only `token`. Poll every 2 to 3 seconds until `state` is `done` or `failed`.",
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
    summary: "Submit passkey",
    description:
      "Send the result of `PublicKeyCredential.toJSON()` for `options`. The gateway validates the credential before it sends anything. A success means that the platform accepted the credential; poll `GET /session/passkey` to see whether the phone links the device.",
    requests: {
      credential: {
        summary: "Credential from the browser",
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
    summary: "Confirm passkey code",
    description:
      "Call this only while `state` is `confirm`, which happens when the passkey took longer than 5 minutes. First compare `code` with the code on the phone: equal codes rule out an attacker in between.",
    reply: session,
    errors: [whatsappErrors.noPasskeyCode, whatsappErrors.platformError],
    byPasskeyToken: true,
  },
  "set-webhook": {
    ...calls["set-webhook"],
    requests: {
      on: { summary: "Turn on", body: webhook },
      chosen: { summary: "Choose the events", body: { ...webhook, events: ["message.new", "message.reaction", "group.message.new"] } },
      off: webhookOff,
    },
    reply: session,
  },
  "reset-session": { ...calls["reset-session"], reply: session },
  "get-limits": { ...calls["get-limits"], reply: limits },
  "delete-session": {
    ...calls["delete-session"],
    description: "Logs the account out and deletes all stored data. Later requests with this `id` get 404.",
    reply: session,
  },
  "update-profile": {
    ...calls["update-profile"],
    description: `${calls["update-profile"].description} The name needs the settings that the account's phone shares after the login.`,
    requests: profileRequests,
    reply: session,
    errors: [
      sharedErrors.nothingToChange,
      sharedErrors.invalidPictureUrl,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
      whatsappErrors.settingsNotSynced,
      whatsappErrors.platformError,
    ],
  },
  "block-person": {
    ...calls["block-person"],
    requests: { person: { summary: "Block a person", body: { phone: "15550100009" } } },
    reply: session,
    errors: [whatsappErrors.invalidPerson, whatsappErrors.platformError],
  },
  "unblock-person": {
    ...calls["unblock-person"],
    parameters: { phone: "15550100009", user: "15550100009@s.whatsapp.net" },
    reply: session,
    errors: [whatsappErrors.invalidPerson, whatsappErrors.platformError],
  },
} satisfies Partial<Texts>;
