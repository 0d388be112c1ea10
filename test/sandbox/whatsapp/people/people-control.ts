import { type BinaryNode, proto } from "@whiskeysockets/baileys";
import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import type { Doc } from "../../control/platform-control.js";
import { memberJid } from "../iq/group-node.js";
import { mediatypeOf } from "../protocol/messages/message-kind.js";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import { type OtherSide, readByOwner } from "../phone/other-side.js";
import type { User, WhatsAppWire } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/channel.js";
import { chatTimer } from "../world/chat-timer.js";
import { jidOf, userOfJid } from "../world/jid.js";
import type { KnownMessage } from "../world/message-book.js";
import { memberPerson } from "../world/person.js";
import type { World } from "../world/world.js";
import type { Attachments } from "./attachments.js";
import { contentOf, edited, inEnvelope, withContext, withSecret } from "./message-content.js";
import { encryptedWithSecret } from "./message-secret.js";
import type { PeopleChats } from "./people-chats.js";
import type { PeopleMessages } from "./people-messages.js";

const receiptTypes = ["delivered", "read", "played"] as const;
const { Type } = proto.Message.ProtocolMessage;
const { SecretEncType } = proto.Message.SecretEncryptedMessage;

export interface PeopleTools {
  readonly world: World;
  readonly wire: WhatsAppWire;
  readonly otherSide: OtherSide;
  readonly chats: PeopleChats;
  readonly messages: PeopleMessages;
  readonly attachments: Attachments;
}

interface Named {
  readonly chat: string;
  readonly messageId: string;
  /** The person that acts. */
  readonly actor: User;
  readonly known: KnownMessage | undefined;
}

/** The other people in an account's chats, and its owner on the phone. They write, edit, delete, react and read. */
export class PeopleControl {
  private readonly world: World;

  constructor(private readonly tools: PeopleTools) {
    this.world = tools.world;
  }

  /** Sends a message (fields: the sandbox's README) to all devices of the account, or a channel's post to all followers' devices. */
  async send(account: Account, fields: Fields): Promise<Doc> {
    const chat = this.tools.chats.chat(account, fields);
    const channel = this.world.channel(chat);
    const author = channel === undefined ? this.tools.chats.author(account, chat, fields) : undefined;
    const context = this.context(account, chat, fields);
    const { message: content, media } = await contentOf(fields, this.tools.attachments, channel !== undefined);
    const message = inEnvelope(withContext(content, context), fields);
    const id = stanzaId();
    const said = { account: account.account, chatId: chat, messageId: id, ...(media && { media }) };
    if (channel !== undefined) return { ...said, serverId: this.post(channel, id, message) };
    if (author !== undefined) {
      const albumId = fields.optionalText("albumId");
      const album = albumId === undefined ? undefined : this.tools.messages.keyFor(account, chat, albumId, { author, actor: author });
      const options = { id, isKept: true, isUnavailable: fields.flag("unavailable"), age: fields.optionalCount("age") ?? 0 };
      await this.tools.messages.deliver(account, chat, author, withSecret(message, album), options);
    }
    return { ...said, text: fields.optionalText("text") ?? (media === undefined ? "Hello" : "") };
  }

  /** Changes the `text` (a caption if the message has a file) or the `reaction` (an emoji; empty removes it). */
  async edit(account: Account, fields: Fields): Promise<Doc> {
    const { chat, messageId, actor, known } = this.named(account, fields);
    const said = { account: account.account, chatId: chat, messageId };
    const reaction = fields.optionalText("reaction");
    if (reaction !== undefined) {
      const author = known?.author ?? account;
      const key = this.tools.messages.keyFor(account, chat, messageId, { author, actor });
      await this.tools.messages.deliver(account, chat, actor, { reactionMessage: { key, text: reaction, senderTimestampMs: Date.now() } });
      return { ...said, reaction };
    }
    const text = fields.text("text");
    const key = this.tools.messages.keyFor(account, chat, messageId, { author: actor, actor });
    const protocolMessage = { key, type: Type.MESSAGE_EDIT, editedMessage: edited(known?.message, text), timestampMs: Date.now() };
    const plain = fields.flag("wrapped") ? { editedMessage: { message: { protocolMessage } } } : { protocolMessage };
    const message = fields.flag("encrypted") ? this.encrypted(account, { chat, messageId, actor, known }, plain) : plain;
    await this.tools.messages.deliver(account, chat, actor, message);
    return { ...said, text };
  }

  /** Puts an edit into the form that phones send. */
  private encrypted(account: Account, { chat, messageId, actor, known }: Named, edit: proto.IMessage): proto.IMessage {
    const secret = known?.message.messageContextInfo?.messageSecret;
    if (!secret) throw new ControlError(404, "message with a secret not found");
    const author = this.tools.chats.jidIn(account, chat, actor);
    const content = proto.Message.encode(proto.Message.fromObject(edit)).finish();
    const sealed = encryptedWithSecret(content, { use: "Message Edit", messageId, secret, author, actor: author });
    const targetMessageKey = this.tools.messages.keyFor(account, chat, messageId, { author: actor, actor });
    return { secretEncryptedMessage: { ...sealed, targetMessageKey, secretEncType: SecretEncType.MESSAGE_EDIT } };
  }

  /** Deletes `messageId` or the list `messageIds` for everybody. In a group, `from` may be an administrator. */
  async delete(account: Account, fields: Fields): Promise<Doc> {
    const { chat, actor } = this.named(account, fields, fields.texts("messageIds")[0]);
    const messageIds = [...fields.texts("messageId"), ...fields.texts("messageIds")];
    for (const messageId of messageIds) {
      const author = this.world.messages.get(account.account, messageId)?.author ?? actor;
      const key = this.tools.messages.keyFor(account, chat, messageId, { author, actor });
      await this.tools.messages.deliver(account, chat, actor, { protocolMessage: { key, type: Type.REVOKE } });
    }
    return { account: account.account, chatId: chat, messageIds };
  }

  /**
   * Marks a message of the account as delivered and read, or with `type` as `delivered`, `read` or `played` alone. `inbox`: the account
   * reads others' message on its phone; with `silent` its read receipts are off.
   */
  read(account: Account, fields: Fields): Doc {
    const { chat, messageId, actor, known } = this.named(account, fields);
    const type = fields.optionalText("type") === undefined ? undefined : fields.oneOf("type", receiptTypes);
    const group = this.world.group(chat);
    if (fields.flag("inbox")) {
      const participant = group === undefined ? {} : { participant: memberJid(group, known?.author ?? actor) };
      const read = { id: messageId, to: chat, type: fields.flag("silent") ? "read-self" : "read", ...participant };
      this.push(account, readByOwner(read, account));
    } else {
      const from = group === undefined ? { from: chat } : { from: chat, participant: memberJid(group, actor) };
      const common = { ...from, id: messageId, t: unixSeconds() };
      const types = type === undefined ? ["delivered", "read"] : [type];
      for (const each of types) this.push(account, node("receipt", { ...common, ...(each !== "delivered" && { type: each }) }));
    }
    return { account: account.account, chatId: chat, maxId: messageId };
  }

  /** Changes the profile picture of a chat, or of the account itself without `chat`. */
  photo(account: Account, fields: Fields): Doc {
    const chat = fields.optionalText("chat") === undefined ? jidOf(account) : this.tools.chats.chat(account, fields);
    this.world.changePicture(chat, "set");
    const stanza = node("notification", { from: chat, type: "picture", id: stanzaId(), t: unixSeconds() }, [
      node("set", { jid: chat, id: unixSeconds(), author: jidOf(memberPerson(0)) }),
    ]);
    this.push(account, stanza);
    return { account: account.account, chatId: chat };
  }

  /** Sends a stanza to all devices of the account. */
  private push(account: Account, stanza: BinaryNode): void {
    const { wire, messages } = this.tools;
    for (const device of wire.devices(account.phone)) if (!messages.isSwallowed(account)) wire.push(device, stanza);
  }

  /** Returns the post's server id. */
  private post(channel: Channel, id: string, message: proto.IMessage): number {
    const mediatype = mediatypeOf(message);
    const post = channel.add({
      id,
      type: mediatype === undefined ? "text" : "media",
      ...(mediatype !== undefined && { mediatype }),
      message: Buffer.from(proto.Message.encode(proto.Message.fromObject(message)).finish()),
    });
    this.world.changed("world");
    this.tools.otherSide.post(channel, post);
    return post.serverId;
  }

  /** Returns what `replyTo`, `mentions` and `forwarded` add to a message, and the chat's timer. */
  private context(account: Account, chat: string, fields: Fields): proto.IContextInfo {
    const { chats } = this.tools;
    const mentioned = fields.texts("mentions").map((name) => chats.jidIn(account, chat, chats.person(name, "mentions")));
    const expiration = this.expirationOf(account, chat);
    return {
      ...(expiration > 0 && { expiration }),
      ...this.reply(account, chat, fields.optionalText("replyTo")),
      ...(mentioned.length > 0 && { mentionedJid: mentioned }),
      ...(fields.flag("forwarded") && { isForwarded: true, forwardingScore: 1 }),
    };
  }

  private reply(account: Account, chat: string, replyTo: string | undefined): proto.IContextInfo {
    if (replyTo === undefined) return {};
    const { chats, messages } = this.tools;
    const quoted = messages.known(account, chat, replyTo);
    if (quoted === undefined) throw new ControlError(404, "replyTo not found");
    return { stanzaId: replyTo, participant: chats.jidIn(account, chat, quoted.author), quotedMessage: quoted.message };
  }

  /** Returns the seconds after which the chat's messages disappear; 0: never. */
  private expirationOf(account: Account, chat: string): number {
    const other = userOfJid(chat);
    return this.world.group(chat)?.expiration ?? (other === undefined ? 0 : chatTimer(this.world, account, other));
  }

  private named(account: Account, fields: Fields, messageId = fields.text("messageId")): Named {
    const { chats, messages } = this.tools;
    const chat = chats.chat(account, fields);
    return { chat, messageId, actor: chats.author(account, chat, fields), known: messages.known(account, chat, messageId) };
  }
}
