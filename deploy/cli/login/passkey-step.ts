import type { PasskeyStatus } from "../../../shared/contract/passkey.js";

/** Text to show at the terminal while the owner confirms the passkey in a browser. */
export type PasskeyStep = { kind: "tell"; text: string } | { kind: "wait" } | { kind: "failed"; why: string };

/** `page` is the gateway's page for the owner. If no passkey is required, the session has moved on since it was read. */
export function passkeyStep({ state, token, code, expires, reason }: PasskeyStatus, page: string, id: string): PasskeyStep {
  const address = `${page}#${id}.${token}`;
  switch (state) {
    case "challenge":
      return {
        kind: "tell",
        text: `This account needs its passkey before ${expires}. Its owner can confirm it in a browser at ${address}`,
      };
    case "sent":
      return { kind: "tell", text: "Passkey accepted. Finishing the link…" };
    case "confirm":
      return { kind: "tell", text: `Check that your phone shows the code ${code}, then confirm it at ${address}` };
    case "done":
    case "none":
      return { kind: "wait" };
    case "failed":
      return { kind: "failed", why: reason };
    default:
      return state satisfies never;
  }
}
