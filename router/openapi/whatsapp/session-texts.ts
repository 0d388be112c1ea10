import { beginsLogin, callsOfBoth, credentials, pollsLogin, session } from "../calls-of-both.js";
import { whatsappErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("WhatsApp");
const isConnected = "`isConnected` is";

export const sessionTexts = {
  "create-session": {
    ...calls["create-session"],
    description: beginsLogin("`qrcode` or `pairingCode`", isConnected),
    requests: {
      qr: { summary: "Login by QR code", body: { label: "till 7" } },
      pairing: { summary: "Login by a code to type on the phone", body: { phone: "+1 555 010 0001", metadata: { shop: 7 } } },
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
  "reset-session": { ...calls["reset-session"], reply: session },
  "delete-session": {
    ...calls["delete-session"],
    description: "Nothing of it is kept: from now on the pair of `id` and `session-id` is 404.",
    reply: session,
  },
} satisfies Partial<Texts>;
