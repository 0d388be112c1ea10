import { beginsLogin, behindProxy, callsOfBoth, credentials, pollsLogin, session } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { telegramErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("Telegram");
const webhook = { url: "https://example.com/hooks/trunkline", token: "s3cret" };
const isIn = "`isConnected` or `isPasswordRequired` is";

export const sessionTexts = {
  "create-session": {
    ...calls["create-session"],
    description: beginsLogin("`qrcode`", isIn),
    requests: { qr: { summary: "Login by QR code", body: { label: "till 7", metadata: { shop: 7 } } }, proxy: behindProxy },
    reply: credentials,
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
    tag: "Telegram sessions",
    summary: "Set webhook",
    description:
      "The gateway sends events of private chats to this URL. To turn the webhook off, send two empty strings. If you change the URL or the token, pending events go to the new receiver. You can set the webhook before the login.",
    requests: {
      on: { summary: "Turn on", body: webhook },
      off: { summary: "Turn off", body: { url: "", token: "" } },
    },
    reply: session,
    errors: [
      telegramErrors.oneOfUrlAndToken,
      telegramErrors.invalidWebhookUrl,
      telegramErrors.invalidWebhookToken,
      sharedErrors.refusedWebhookUrl,
    ],
  },
  "reset-session": { ...calls["reset-session"], reply: session },
  "delete-session": {
    ...calls["delete-session"],
    description: "Logs the account out and deletes all stored data. Later requests with this `id` and its media links get 404.",
    reply: session,
  },
} satisfies Partial<Texts>;
