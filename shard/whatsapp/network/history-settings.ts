import { proto } from "@whiskeysockets/baileys";
import { fieldOf } from "./protobuf-field.js";

/**
 * Makes the library report a history's salt for tokens to strangers. Removes chat names, which the library would report as contacts.
 * Process-wide; a second call changes nothing.
 */
export function reportHistorySettings(): void {
  Object.assign(proto.HistorySync, { decode: decodeHistory });
}

/** Returns the salt in a history as the library reports it, or `undefined` when the history has none. */
export function historySalt(groups: readonly proto.IPastParticipants[] | null | undefined): Buffer | undefined {
  const marked = groups?.find(({ groupJid }) => groupJid?.startsWith(saltMark) === true)?.groupJid;
  return marked === undefined || marked === null ? undefined : Buffer.from(marked.slice(saltMark.length), "base64");
}

const historyOf = proto.HistorySync.decode.bind(proto.HistorySync);

function decodeHistory(...given: Parameters<typeof historyOf>): proto.HistorySync {
  const history = historyOf(...given);
  for (const chat of history.conversations) Object.assign(chat, { displayName: "", name: "", username: "" });
  const salt = given[0] instanceof Uint8Array ? fieldOf(given[0], saltField) : Buffer.alloc(0);
  if (salt.length > 0) history.pastParticipants.push({ groupJid: saltMark + Buffer.from(salt).toString("base64") });
  return history;
}

/** `HistorySync.nctSalt`, which the library's definitions do not have. */
const saltField = 19;
/**
 * The library forwards a history's former group members for every history type, and no other code reads them, so they can carry the salt.
 */
const saltMark = "nct-salt ";
