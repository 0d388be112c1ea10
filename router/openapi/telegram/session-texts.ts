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
import { ofPerson, telegramErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("Telegram");
const isIn = "`isConnected` or `isPasswordRequired` is";

export const sessionTexts = {
  "create-session": {
    ...calls["create-session"],
    description: beginsLogin("`qrcode`", isIn),
    requests: { qr: { summary: "Login by QR code", body: { label: "till 7", metadata: { shop: 7 } } }, proxy: behindProxy },
    reply: credentials,
    errors: [telegramErrors.platformIsOff],
  },
  "get-session": {
    ...calls["get-session"],
    description: `${pollsLogin(isIn)} To display the code, put \`data:image/png;base64,\` before \`qrcode\`.`,
    reply: {
      ...credentials,
      generatedId: "5100000001",
      name: "Alice",
      username: "alice_sandbox",
      phone: "15550100001",
      isConnected: true,
      qrcode: "",
      isPasswordRequired: false,
      passwordHint: "",
      picture: "",
      webhook,
    },
  },
  "submit-password": {
    tag: "Telegram sessions",
    summary: "Submit two-step password",
    description:
      "Call this while `isPasswordRequired` is true. On success the session is connected. You have five attempts per hour. After 30 minutes without an attempt the gateway deletes the session.",
    requests: { password: { summary: "The password", body: { password: "correct horse" } } },
    reply: session,
    errors: [telegramErrors.invalidPassword, telegramErrors.passwordNotRequired, telegramErrors.passwordWait, telegramErrors.platformError],
  },
  "set-webhook": {
    ...calls["set-webhook"],
    requests: {
      on: { summary: "Turn on", body: webhook },
      chosen: { summary: "Choose the events", body: { ...webhook, events: ["message.new", "message.deleted"] } },
      off: webhookOff,
    },
    reply: session,
  },
  "reset-session": { ...calls["reset-session"], reply: session, errors: [telegramErrors.platformIsOff] },
  "get-limits": {
    ...calls["get-limits"],
    reply: {
      ...limits,
      reason: "Telegram limits the account (PEER_FLOOD)",
      newChats: { used: null, cap: null, resets: "" },
    },
  },
  "delete-session": {
    ...calls["delete-session"],
    description: "Logs the account out and deletes all stored data. Later requests with this `id` and its media links get 404.",
    reply: session,
  },
  "update-profile": {
    ...calls["update-profile"],
    description: `${calls["update-profile"].description} The text of \`name\` up to the first space is the first name, and the rest is the last name. Without a picture, the account shows its former one if it has one.`,
    requests: profileRequests,
    reply: session,
    errors: [
      sharedErrors.nothingToChange,
      sharedErrors.invalidPictureUrl,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
      telegramErrors.platformError,
    ],
  },
  "block-person": {
    ...calls["block-person"],
    requests: { person: { summary: "Block a person", body: { username: "carol_sandbox" } } },
    reply: session,
    errors: [telegramErrors.invalidPerson, ...ofPerson],
  },
  "unblock-person": {
    ...calls["unblock-person"],
    parameters: { username: "carol_sandbox", user: "987654321", phone: "15550100003" },
    reply: session,
    errors: [telegramErrors.invalidPerson, ...ofPerson],
  },
} satisfies Partial<Texts>;
