import type { PasskeyStatus } from "../../../shared/contract/whatsapp/passkey.js";

/** What a person at a terminal is told while the account's owner answers with the passkey in a browser. */
export type PasskeyStep = { kind: "tell"; words: string } | { kind: "wait" } | { kind: "failed"; why: string };

/** `page`: the gateway's page that guides the owner. `hint`: why the session does not go on, where no passkey is the reason. */
export function passkeyStep({ state, token, code, expires, reason }: PasskeyStatus, page: string, id: string, hint: string): PasskeyStep {
  const address = `${page}#${id}.${token}`;
  switch (state) {
    case "challenge":
      return { kind: "tell", words: `The account's passkey is asked for until ${expires}. Its owner answers in a browser, at ${address}` };
    case "sent":
      return { kind: "tell", words: "The passkey is with the platform; the phone goes on." };
    case "confirm":
      return { kind: "tell", words: `The phone must show the code ${code}: if it does, confirm it at ${address}` };
    case "done":
      return { kind: "wait" };
    case "failed":
      return { kind: "failed", why: reason };
    case "none":
      return { kind: "failed", why: hint };
    default:
      return state satisfies never;
  }
}
