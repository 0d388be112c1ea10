import { proto } from "@whiskeysockets/baileys";
import type { Account } from "../world/account.js";
import { userOfJid } from "../world/jid.js";
import type { ReceivedContent, ReceivedTarget } from "../world/received.js";
import { sentMessage } from "../world/sent-message.js";
import type { World } from "../world/world.js";

/** What recipients' phones show of a message that changes another one. */
export type ReceivedChange = Pick<ReceivedContent, "kind" | "text" | "target">;

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
const minute = 60_000;
/** Phones ignore a later edit. Their own clients offer it for 15 minutes (whatsmeow's send.go, EditWindow). */
const editableMs = 20 * minute;

/**
 * Reads a reaction, an edit or a deletion as the phones of the chat do: they find the message by its key, and ignore a change that its
 * sender may not make. Returns `undefined` for any other message.
 */
export function readChange(world: World, account: Account, chat: string, message: proto.IMessage): ReceivedChange | undefined {
  const { reactionMessage, protocolMessage } =
    message.editedMessage?.message ?? message.ephemeralMessage?.message ?? message.deviceSentMessage?.message ?? message;
  const target = (key: proto.IMessageKey | null | undefined, isAllowed: (found: Found) => string | undefined): ReceivedTarget => {
    const found = find(world, account, chat, key ?? {});
    const ignored = found.isThere ? isAllowed(found) : "no such message";
    return { id: key?.id ?? "", author: found.author, ...(ignored !== undefined && { ignored }) };
  };
  if (reactionMessage) return { kind: "reaction", text: reactionMessage.text ?? "", target: target(reactionMessage.key, () => undefined) };
  if (protocolMessage?.type === MESSAGE_EDIT) {
    const { editedMessage } = protocolMessage;
    const { conversation, extendedTextMessage } = editedMessage ?? {};
    const file = captionedIn(editedMessage?.documentWithCaptionMessage?.message ?? editedMessage);
    const text = file?.caption ?? extendedTextMessage?.text ?? conversation ?? "";
    const mayEdit = ({ author, at }: Found): string | undefined => {
      if (author !== account.phone) return "not its author";
      return Date.now() - at > editableMs ? "too late" : undefined;
    };
    return { kind: "edited", text, target: { ...target(protocolMessage.key, mayEdit), ...(file && { file: file.kind }) } };
  }
  if (protocolMessage?.type !== REVOKE) return undefined;
  const mayDelete = ({ author }: Found): string | undefined =>
    author === account.phone || world.group(chat)?.adminKind(account) !== undefined ? undefined : "not its author";
  return { kind: "deleted", text: "", target: target(protocolMessage.key, mayDelete) };
}

/** Returns the kind and the new caption of an edited file. */
function captionedIn(message: proto.IMessage | null | undefined): { readonly kind: string; readonly caption: string } | undefined {
  for (const kind of ["image", "video", "document"] as const) {
    const file = message?.[`${kind}Message`];
    if (file) return { kind, caption: file.caption ?? "" };
  }
  return undefined;
}

interface Found {
  /** Phone number of the author in the key; empty if the key has none. */
  readonly author: string;
  readonly isThere: boolean;
  /** Unix milliseconds of the message. */
  readonly at: number;
}

/** The key is written from its sender's point of view. */
function find(world: World, account: Account, chat: string, { id, fromMe, participant, remoteJid }: proto.IMessageKey): Found {
  const group = world.group(chat);
  const other = userOfJid(group === undefined ? chat : (participant ?? ""));
  const author = fromMe === true ? account.phone : (other?.phone ?? "");
  const isInChat = group === undefined ? userOfJid(remoteJid ?? "")?.phone === userOfJid(chat)?.phone : remoteJid === chat;
  const message = messageOf(world, account, author, id ?? "");
  return { author, isThere: isInChat && message !== undefined, at: message?.at ?? 0 };
}

/** Returns the message if this person wrote it: an account on its device, or somebody through the control API. */
function messageOf(world: World, account: Account, author: string, id: string): { readonly at: number } | undefined {
  const name = world.accounts.ofPhone(author)?.account;
  const sent = name === undefined ? undefined : sentMessage(world, name, id);
  if (sent !== undefined) return sent;
  const known = world.messages.get(account.account, id);
  return known?.author.phone === author ? { at: known.at * 1_000 } : undefined;
}
