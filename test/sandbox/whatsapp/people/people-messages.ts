import type { proto } from "@whiskeysockets/baileys";
import { stanzaId, unixSeconds } from "../protocol/node.js";
import type { SendOptions, User, WhatsAppWire } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import { jidOf, kindOfChat } from "../world/jid.js";
import type { KnownMessage } from "../world/message-book.js";
import { nameOf } from "../world/person.js";
import { sentMessage } from "../world/sent-message.js";
import type { World } from "../world/world.js";
import type { PeopleChats } from "./people-chats.js";

export interface DeliverOptions {
  readonly id?: string;
  /** Others can reply to the message, edit it or react to it. */
  readonly isKept?: boolean;
  /** Seconds since the message was written. */
  readonly age?: number;
  /** The devices get a placeholder, and must request the message from the account's phone. */
  readonly isUnavailable?: boolean;
}

/** Sends people's messages to all devices of an account, and remembers them. */
export class PeopleMessages {
  constructor(
    private readonly world: World,
    private readonly wire: WhatsAppWire,
    private readonly chats: PeopleChats,
  ) {}

  async deliver(
    account: Account,
    chat: string,
    author: User,
    message: proto.IMessage,
    { id = stanzaId(), isKept = false, isUnavailable = false, age = 0 }: DeliverOptions = {},
  ): Promise<void> {
    // The server drops what a blocked person sends, and the sender does not notice.
    if (kindOfChat(chat) !== "group" && author.phone !== account.phone && this.world.blocks(account, author)) return;
    if (isKept) this.world.messages.add(account.account, id, { chat, author, message, at: Number(unixSeconds()) - age });
    if (kindOfChat(chat) === "phone" && author.phone !== account.phone) account.writers.add(author.phone);
    const unreadable = this.world.faults.take(["unreadable"], account.account, "push");
    const damage = unreadable && { damaged: true, isLost: unreadable.error === "never" };
    const options: SendOptions = { id, isUnavailable, ...damage, ...notifyOf(this.world, author), ...this.address(account, chat, author) };
    const sent = options.recipient === undefined ? message : forOwnDevices(message, chat);
    for (const device of this.wire.devices(account.phone))
      if (!this.isSwallowed(account)) await this.wire.sendToDevice(device, author, sent, options);
  }

  /** Returns a message of the chat, or a text that the account itself sent. */
  known(account: Account, chat: string, id: string): KnownMessage | undefined {
    const known = this.world.messages.get(account.account, id);
    if (known !== undefined) return known.chat === chat ? known : undefined;
    const sent = sentMessage(this.world, account.account, id);
    if (sent === undefined) return undefined;
    return {
      chat,
      author: { phone: account.phone, lid: account.lid },
      message: { conversation: sent.text },
      at: Math.floor(sent.at / 1_000),
    };
  }

  /** Returns the message's key as its actor sees it. */
  keyFor(account: Account, chat: string, id: string, { author, actor }: { author: User; actor: User }): proto.IMessageKey {
    const fromMe = author.phone === actor.phone;
    if (kindOfChat(chat) === "group")
      return { remoteJid: chat, fromMe, id, ...(!fromMe && { participant: this.chats.jidIn(account, chat, author) }) };
    const isOwn = actor.phone === account.phone;
    const own = chat.endsWith("@lid") ? `${account.lid}@lid` : jidOf(account);
    return { remoteJid: isOwn ? chat : own, fromMe, id };
  }

  /** Returns whether a fault drops incoming stanzas of the account. */
  isSwallowed({ account }: Account): boolean {
    const { faults } = this.world;
    return faults.take(["gap"], account, "push") !== undefined || faults.holding("stall", account) !== undefined;
  }

  private address(account: Account, chat: string, author: User): Pick<SendOptions, "group" | "recipient"> {
    if (kindOfChat(chat) === "group") return { group: chat };
    return author.phone === account.phone ? { recipient: chat } : {};
  }
}

/** Repeats the context beside the envelope, as whatsmeow's send.go, marshalMessage, does. */
function forOwnDevices(message: proto.IMessage, destinationJid: string): proto.IMessage {
  const { messageContextInfo } = message;
  return { deviceSentMessage: { destinationJid, message }, ...(messageContextInfo && { messageContextInfo }) };
}

/** The push name of an account's messages. People without an account have generated names. */
function notifyOf({ accounts }: World, author: User): { readonly notify?: string } {
  const account = accounts.ofPhone(author.phone);
  if (account === undefined) return { notify: nameOf(author) };
  return account.pushName === "" ? {} : { notify: account.pushName };
}
