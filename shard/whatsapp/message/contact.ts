import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Addressee } from "../../session/health/session-health.js";
import type { Contact } from "../../tenant/pace/session-pace.js";
import type { WhatsAppConnector } from "../connector.js";
import { userOf } from "../jid.js";
import { otherNames } from "../other-names.js";
import { hasWritten } from "./has-written.js";

/** The recipient of a message, as the session's pace and its restrictions see it. */
export type Person = Contact & Addressee;

/** Returns the recipient if it is one person other than the account itself. Throws `session not connected` while there is no connection. */
export function contactOf(connector: WhatsAppConnector, to: Recipient, jid: string): Person | undefined {
  const client = connector.connected();
  const isPerson = to.kind === "phone" || to.kind === "user";
  if (!isPerson || [client.me.id, client.me.lid].some((own) => userOf(own) === userOf(jid))) return undefined;
  const { keys } = client.sock.authState;
  return {
    id: jid,
    isKnown: () => hasSession(keys, jid),
    hasWritten: () => hasWritten(keys, jid, (user) => connector.account.devices.cached(user)),
  };
}

/**
 * True when an encrypted session exists with one of the person's first devices. The first message makes one, as does a group message or a
 * status for each reader, and the keys do not show which.
 */
export async function hasSession(keys: SignalKeys, jid: string): Promise<boolean> {
  const users = [...(await otherNames(keys, [jid]))];
  const sessions = await keys.get(
    "session",
    users.flatMap((user) => [`${user}.0`, `${user}_1.0`]),
  );
  return Object.keys(sessions).length > 0;
}

type SignalKeys = Parameters<typeof otherNames>[0];
