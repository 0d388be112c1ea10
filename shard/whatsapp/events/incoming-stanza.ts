import {
  decodeMessageNode,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  jidNormalizedUser,
  type BinaryNode,
} from "@whiskeysockets/baileys";
import { isUserJid } from "../jid.js";
import { adminDeletion } from "../network/edit-attribute.js";

export interface OwnJids {
  readonly id: string;
  readonly lid: string;
}

/** One message as its stanza addresses it. JIDs have no device. */
export interface IncomingStanza {
  readonly kind: "private" | "group" | "channel";
  readonly id: string;
  readonly chat: string;
  readonly author: string;
  readonly fromMe: boolean;
  /** Unix seconds. */
  readonly at: number;
  /** Name that the author shows; empty for the account itself. */
  readonly pushName: string;
  /** The other JID of the author, or of the chat for own messages; empty if the stanza does not have it. */
  readonly otherJid: string;
  readonly username: string;
  /** The author uses an administrator's right. The platform accepts this from administrators alone; it cannot read the message itself. */
  readonly asAdmin?: true;
}

/**
 * Reads the address of a message stanza. Returns `undefined` for what has no events: statuses, messages between the account's devices, and
 * malformed stanzas.
 */
export function readStanza(node: BinaryNode, me: OwnJids): IncomingStanza | undefined {
  if (node.attrs["category"] === "peer" || isJidStatusBroadcast(node.attrs["from"] ?? "")) return undefined;
  try {
    const { fullMessage, author } = decodeMessageNode(node, me.id, me.lid);
    const { key } = fullMessage;
    return stanzaOf({
      id: key.id ?? "",
      chat: key.remoteJid ?? "",
      author,
      fromMe: key.fromMe === true,
      at: Number(node.attrs["t"] ?? 0),
      pushName: fullMessage.pushName ?? "",
      otherJid: key.fromMe === true ? recipientAlt(node) : (key.participantAlt ?? key.remoteJidAlt ?? ""),
      username: key.participantUsername ?? key.remoteJidUsername ?? "",
      ...(node.attrs["edit"] === adminDeletion && { asAdmin: true }),
    });
  } catch {
    return undefined;
  }
}

/** Returns the address with plain JIDs. A message to a broadcast list is a private message of its author. */
export function stanzaOf(raw: Omit<IncomingStanza, "kind">): IncomingStanza | undefined {
  const author = plainJid(raw.author);
  const isList = raw.chat.endsWith("@broadcast");
  const chat = isList ? author : plainJid(raw.chat);
  const otherJid = plainJid(raw.otherJid);
  const stanza = { ...raw, chat, author, otherJid, pushName: raw.fromMe ? "" : raw.pushName };
  if (raw.id === "" || (isList && raw.fromMe)) return undefined;
  if (isJidGroup(chat) === true) return { ...stanza, kind: "group" };
  if (isJidNewsletter(chat) === true) return { ...stanza, kind: "channel" };
  return isUserJid(chat) ? { ...stanza, kind: "private" } : undefined;
}

/** Returns a JID without its device. A business whose device is hosted is the same person as on its phone. */
function plainJid(jid: string): string {
  const plain = jidNormalizedUser(jid);
  if (!plain.includes("@hosted")) return plain;
  return plain.replace(/@hosted$/, "@s.whatsapp.net").replace(/@hosted\.lid$/, "@lid");
}

function recipientAlt({ attrs }: BinaryNode): string {
  return attrs["peer_recipient_pn"] ?? attrs["peer_recipient_lid"] ?? attrs["recipient_pn"] ?? attrs["recipient_lid"] ?? "";
}
