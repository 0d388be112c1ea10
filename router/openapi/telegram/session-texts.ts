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
    description: `${pollsLogin(isIn)} To show the code, put \`data:image/png;base64,\` before \`qrcode\`.`,
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
    summary: "Answer for the two-step password",
    description:
      "Only while `isPasswordRequired` is true. On success the session is connected. Five tries an hour; after 30 minutes without one the session is deleted.",
    requests: { password: { summary: "The password", body: { password: "correct horse" } } },
    reply: session,
    errors: [telegramErrors.invalidPassword, telegramErrors.passwordNotRequired, telegramErrors.passwordWait, telegramErrors.platformError],
  },
  "set-webhook": {
    tag: "Telegram sessions",
    summary: "Set where events go",
    description:
      "From the answer on, the receiver is told what happens in private chats; two empty texts turn it off. Another URL or token loses nothing: what waits goes to the new receiver. May be set before the login.",
    requests: {
      on: { summary: "Turn it on", body: webhook },
      off: { summary: "Turn it off", body: { url: "", token: "" } },
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
    description: "Nothing of it is kept: from now on the pair of `id` and `session-id` is 404, and its media links are too.",
    reply: session,
  },
} satisfies Partial<Texts>;
