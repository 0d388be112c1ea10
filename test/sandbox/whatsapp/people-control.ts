import { proto } from "@whiskeysockets/baileys";
import { ControlError } from "../control/control-error.js";
import type { Fields } from "../control/fields.js";
import type { Doc } from "../control/platform-control.js";
import { memberJid } from "./iq/group-node.js";
import { changeExpiration, timers } from "./iq/group-settings.js";
import type { OtherSide } from "./phone/other-side.js";
import { node, stanzaId, unixSeconds } from "./protocol/node.js";
import type { User, WhatsAppWire } from "./whatsapp-backend.js";
import type { Account } from "./world/account.js";
import { chatTimer, setChatTimer } from "./world/chat-timer.js";
import { jidOf, kindOfChat, userOfJid } from "./world/jid.js";
import { memberPerson, nameOf, personByPhone } from "./world/person.js";
import type { World } from "./world/world.js";

const attachments = ["location", "contact"] as const;

/** The other people in an account's chats. They write, edit, delete and read. */
export class PeopleControl {
  constructor(
    private readonly world: World,
    private readonly wire: WhatsAppWire,
    private readonly otherSide: OtherSide,
  ) {}

  /** Sends `{account, chat?, text?, media?, from?}` to all devices of the account, or a channel's post to all followers' devices. */
  async send(account: Account, fields: Fields): Promise<Doc> {
    const chat = this.chat(account, fields);
    const media = fields.optionalText("media") === undefined ? undefined : fields.oneOf("media", attachments);
    const text = fields.optionalText("text") ?? "Hello";
    const expiration = this.expirationOf(account, chat);
    const timer = expiration > 0 && { contextInfo: { expiration } };
    const message = media === undefined ? { extendedTextMessage: { text, ...timer } } : attachmentOf(media);
    const id = stanzaId();
    const channel = this.world.channel(chat);
    if (channel !== undefined) {
      const post = channel.add({
        id,
        type: "text",
        message: Buffer.from(proto.Message.encode(proto.Message.fromObject(message)).finish()),
      });
      this.world.changed("world");
      this.otherSide.post(channel, post);
      return { account: account.account, chatId: chat, messageId: id, serverId: post.serverId };
    }
    await this.deliver(account, chat, this.author(account, chat, fields), message, id);
    return { account: account.account, chatId: chat, messageId: id, text };
  }

  /**
   * Sets the timer of disappearing messages in seconds (0: off): of `chat`, by its other side or by the account in a group. Without
   * `chat`, `person` or the account sets a default for new private chats.
   */
  async setTimer(account: Account, fields: Fields, seconds: number): Promise<void> {
    if (!timers.includes(seconds)) throw new ControlError(400, `disappearing must be one of the following values: ${timers.join(", ")}`);
    if (fields.optionalText("chat") === undefined) {
      this.setDefaultTimer(account, fields.optionalText("person"), seconds);
      return;
    }
    const chat = this.chat(account, fields);
    const group = this.world.group(chat);
    if (group !== undefined) {
      changeExpiration({ world: this.world, account, tell: (users, made) => this.otherSide.tell(users, made) }, group, seconds);
      return;
    }
    const author = this.author(account, chat, fields);
    setChatTimer(this.world, account, author, seconds);
    const key = { remoteJid: chat, fromMe: false, id: stanzaId() };
    const type = proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING;
    await this.deliver(account, chat, author, { protocolMessage: { key, type, ephemeralExpiration: seconds } }, stanzaId());
  }

  private setDefaultTimer(account: Account, person: string | undefined, seconds: number): void {
    const user = person === undefined ? account : this.person(person, "person");
    const setAt = Number(unixSeconds());
    this.world.defaultTimers.set(user.phone, { seconds, setAt });
    this.world.changed("world");
    const type = person === undefined ? "account_sync" : "disappearing_mode";
    const content = [node("disappearing_mode", { duration: String(seconds), t: String(setAt) })];
    for (const device of this.wire.devices(account.phone))
      this.wire.push(device, node("notification", { from: jidOf(user), type, id: stanzaId(), t: String(setAt) }, content));
  }

  async edit(account: Account, fields: Fields): Promise<Doc> {
    const { chat, messageId, author } = this.named(account, fields);
    const text = fields.text("text");
    const key = { remoteJid: chat, fromMe: true, id: messageId };
    await this.deliver(
      account,
      chat,
      author,
      { protocolMessage: { key, type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT, editedMessage: { extendedTextMessage: { text } } } },
      stanzaId(),
    );
    return { account: account.account, chatId: chat, messageId, text };
  }

  async delete(account: Account, fields: Fields): Promise<Doc> {
    const { chat, messageId, author } = this.named(account, fields);
    const key = { remoteJid: chat, fromMe: true, id: messageId };
    await this.deliver(account, chat, author, { protocolMessage: { key, type: proto.Message.ProtocolMessage.Type.REVOKE } }, stanzaId());
    return { account: account.account, chatId: chat, messageIds: [messageId] };
  }

  /** Marks a message of the account as delivered and read. */
  read(account: Account, fields: Fields): Doc {
    const { chat, messageId, author } = this.named(account, fields);
    const group = this.world.group(chat);
    const from =
      group === undefined
        ? { from: account.lidMigrated ? `${author.lid}@lid` : chat }
        : { from: chat, participant: memberJid(group, author) };
    const common = { ...from, id: messageId, t: unixSeconds() };
    for (const device of this.wire.devices(account.phone)) {
      if (this.swallowed(account)) continue;
      this.wire.push(device, node("receipt", common));
      this.wire.push(device, node("receipt", { ...common, type: "read" }));
    }
    return { account: account.account, chatId: chat, maxId: messageId };
  }

  /** Changes the profile picture of a chat, or of the account itself without `chat`. */
  photo(account: Account, fields: Fields): Doc {
    const chat = fields.optionalText("chat") === undefined ? jidOf(account) : this.chat(account, fields);
    this.world.pictures.set(chat, (this.world.pictures.get(chat) ?? 0) + 1);
    this.world.changed("world");
    const stanza = node("notification", { from: chat, type: "picture", id: stanzaId(), t: unixSeconds() }, [
      node("set", { jid: chat, id: unixSeconds(), author: jidOf(memberPerson(0)) }),
    ]);
    for (const device of this.wire.devices(account.phone)) if (!this.swallowed(account)) this.wire.push(device, stanza);
    return { account: account.account, chatId: chat };
  }

  private async deliver(account: Account, chat: string, author: User, message: proto.IMessage, id: string): Promise<void> {
    for (const device of this.wire.devices(account.phone)) {
      if (this.swallowed(account)) continue;
      await this.wire.sendToDevice(device, author, message, {
        id,
        ...notifyOf(this.world, author),
        ...(kindOfChat(chat) === "group" && { group: chat }),
      });
    }
  }

  /** Returns the seconds after which the chat's messages disappear; 0: never. */
  private expirationOf(account: Account, chat: string): number {
    const other = userOfJid(chat);
    return this.world.group(chat)?.expiration ?? (other === undefined ? 0 : chatTimer(this.world, account, other));
  }

  /** Returns whether a fault drops incoming messages of the account. */
  private swallowed({ account }: Account): boolean {
    const { faults } = this.world;
    return faults.take(["gap"], account, "push") !== undefined || faults.holding("stall", account) !== undefined;
  }

  private named(account: Account, fields: Fields): { chat: string; messageId: string; author: User } {
    const messageId = fields.text("messageId");
    const chat = this.chat(account, fields);
    return { chat, messageId, author: this.author(account, chat, fields) };
  }

  /** `chat` is a JID, an account or a phone number; default: the account's first contact. */
  private chat(account: Account, fields: Fields): string {
    const chat = fields.optionalText("chat");
    if (chat === undefined) return jidOf([...account.contacts.values()][0] ?? memberPerson(0));
    if (this.world.group(chat) !== undefined || this.world.channel(chat) !== undefined) return chat;
    return jidOf(this.person(chat, "chat"));
  }

  /** `from` is an account, a JID or a phone number. In a private chat, the author is always the other side. */
  private author(account: Account, chat: string, fields: Fields): User {
    const group = this.world.group(chat);
    if (group === undefined) return this.person(chat, "chat");
    const from = fields.optionalText("from");
    if (from !== undefined) return this.person(from, "from");
    for (const { user } of group.members()) if (user.phone !== account.phone) return user;
    return memberPerson(0);
  }

  private person(name: string, field: string): User {
    const person = this.world.accounts.get(name) ?? (name.includes("@") ? userOfJid(name) : personByPhone(name.replace(/\D/g, "")));
    if (person === undefined) throw new ControlError(404, `${field} not found`);
    return { phone: person.phone, lid: person.lid };
  }
}

function attachmentOf(media: (typeof attachments)[number]): proto.IMessage {
  if (media === "location")
    return { locationMessage: { degreesLatitude: 51.5007, degreesLongitude: -0.1246, name: "London", address: "Westminster" } };
  return {
    contactMessage: {
      displayName: "Alice",
      vcard: "BEGIN:VCARD\nVERSION:3.0\nFN:Alice\nTEL;type=CELL;waid=6281155501001:+6281155501001\nEND:VCARD",
    },
  };
}

/** The push name of an account's messages. People without an account have generated names. */
function notifyOf({ accounts }: World, author: User): { readonly notify?: string } {
  const account = accounts.ofPhone(author.phone);
  if (account === undefined) return { notify: nameOf(author) };
  return account.pushName === "" ? {} : { notify: account.pushName };
}
