import { Api } from "telegram";
import { ControlError } from "../control/control-error.js";
import type { Fields } from "../control/fields.js";
import type { Doc } from "../control/platform-control.js";
import { tellReactions } from "./rpc/reactions.js";
import { mediaDoc } from "./media-doc.js";
import { Cast } from "./tl/cast.js";
import { entitiesFit, readEntity, storeEntities } from "./tl/entities.js";
import { foundEntities } from "./tl/found-entities.js";
import type { Account } from "./world/account.js";
import type { Delivery, Draft } from "./world/delivery.js";
import { long, markChannel, unmark, type MarkedId } from "./world/ids.js";
import { stockMedia } from "./world/media-library.js";
import type { Attachment, MessageBox, StoredMessage } from "./world/message-box.js";
import { memberPerson } from "./world/person.js";
import type { World } from "./world/world.js";

const attachments = [
  "photo",
  "sticker",
  "video",
  "round",
  "animation",
  "document",
  "audio",
  "voice",
  "location",
  "contact",
  "poll",
] as const;
/** The files that people send. The default is the first one; `dc` selects another. */
const stocked = {
  photo: stockMedia.photos,
  sticker: stockMedia.stickers,
  video: [stockMedia.video, stockMedia.video64, stockMedia.video1500],
  round: [stockMedia.round],
  animation: [stockMedia.animation],
  document: stockMedia.documents,
  audio: [stockMedia.audio],
  voice: [stockMedia.voice],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** The other people in an account's chats. They write, edit, delete and read. */
export class PeopleControl {
  constructor(
    readonly world: World,
    readonly delivery: Delivery,
  ) {}

  /**
   * Sends `{account, chat?, text?, entities?, media?, album?, dc?, size?, from?, replyTo?, out?, age?}`. `out`: sent by the account's own
   * phone; `dc`: the file's data centre; `size` creates a new file; `age`: seconds since it was written.
   */
  send(account: Account, fields: Fields): Doc {
    const peer = this.chat(account, fields);
    const attachment = this.attachment(fields);
    const text = fields.optionalText("text") ?? (attachment === undefined ? "Hello" : "");
    const draft: Draft = {
      text,
      entities: entitiesOf(fields, text),
      attachment,
      replyTo: fields.ids("replyTo")[0],
      groupedId: fields.optionalCount("album")?.toString(),
      age: fields.optionalCount("age"),
    };
    if (!fields.flag("out") && account.blocked.has(peer)) throw new ControlError(403, "USER_IS_BLOCKED");
    const message = fields.flag("out")
      ? this.delivery.send(account, peer, draft)
      : this.delivery.receive(account, peer, this.author(account, peer, fields), draft);
    return this.described(account, message);
  }

  /** Changes the `text`, the file (`media`, `dc`, `size`) or the `reaction` (an emoji; empty removes it), in groups of `from`. */
  edit(account: Account, fields: Fields): Doc {
    const { peer, message } = this.named(account, fields);
    const reaction = fields.optionalText("reaction");
    if (reaction !== undefined) {
      const { id } = message;
      const reacted =
        unmark(peer).kind === "user"
          ? this.delivery.react(account, peer, id, reaction)
          : this.delivery.reactBy(account, peer, id, this.author(account, peer, fields), reaction === "" ? undefined : reaction);
      if (reacted !== undefined) tellReactions(this, account, reacted);
      return this.described(account, message);
    }
    const attachment = this.attachment(fields);
    const text = attachment === undefined ? fields.text("text") : (fields.optionalText("text") ?? message.text);
    const edited = this.delivery.edit(account, peer, message.id, { text, entities: entitiesOf(fields, text), attachment });
    if (edited === undefined) throw new ControlError(404, "message not found");
    return this.described(account, edited);
  }

  /** Takes `messageId` or a list `messageIds`. */
  delete(account: Account, fields: Fields): Doc {
    const ids = [...fields.ids("messageId"), ...fields.ids("messageIds")];
    const { peer } = this.named(account, fields, ids[0]);
    const gone = this.delivery.delete(account, peer, ids, true);
    return { account: account.account, chatId: String(peer), messageIds: gone.map(String) };
  }

  /** Marks the account's messages up to `messageId`, or all, as read. `inbox`: the account itself reads on its phone. */
  read(account: Account, fields: Fields): Doc {
    const peer = this.chat(account, fields);
    const maxId = fields.ids("messageId")[0] ?? account.box.idsOf(peer).at(-1) ?? 0;
    if (unmark(peer).kind === "channel") throw new ControlError(400, "only private chats and basic groups keep who read what");
    if (fields.flag("inbox")) this.delivery.read(account, peer, maxId);
    else this.delivery.wasRead(account, peer, maxId);
    return { account: account.account, chatId: String(peer), maxId: String(maxId) };
  }

  /** Changes the profile photo of a chat, or of the account itself without `chat`. */
  photo(account: Account, fields: Fields): Doc {
    const peer = fields.optionalText("chat") === undefined ? account.userId : this.chat(account, fields);
    this.world.profilePhotos.replace(unmark(peer).id);
    this.world.changed("world");
    const cast = new Cast(this.world, account).peer(peer);
    this.delivery.pushes.pushCounted(account, { updates: [changeOf(peer)], users: cast.users, chats: cast.chats });
    return { account: account.account, chatId: String(peer) };
  }

  private described(account: Account, message: StoredMessage): Doc {
    const item = message.attachment?.kind === "media" ? this.world.media.get(message.attachment.mediaId) : undefined;
    return {
      account: account.account,
      chatId: String(message.peer),
      messageId: String(message.id),
      text: message.text,
      ...(item && { media: mediaDoc(item) }),
    };
  }

  /** Returns the message and its chat. `chat` may be omitted for private chats and basic groups. */
  private named(account: Account, fields: Fields, id = fields.ids("messageId")[0]): { peer: MarkedId; message: StoredMessage } {
    if (id === undefined) throw new ControlError(400, "messageId should not be empty");
    const chat = fields.optionalText("chat") === undefined ? undefined : this.chat(account, fields);
    const message = this.box(account, chat).messages.get(id);
    if (message === undefined || (chat !== undefined && message.peer !== chat)) throw new ControlError(404, "message not found");
    return { peer: message.peer, message };
  }

  private box(account: Account, peer: MarkedId | undefined): MessageBox {
    const { kind, id } = unmark(peer ?? 1);
    return (kind === "channel" ? this.world.chats.channel(id)?.history() : undefined) ?? account.box;
  }

  private attachment(fields: Fields): Attachment | undefined {
    if (fields.optionalText("media") === undefined) return undefined;
    const [media, dc, size] = [fields.oneOf("media", attachments), fields.optionalCount("dc"), fields.optionalCount("size")];
    if (media === "poll") return this.poll(fields);
    if (size === undefined) return this.attachmentOf(media, dc);
    if (media !== "document") throw new ControlError(400, "size belongs to a document");
    return { kind: "media", mediaId: this.world.media.addSynthetic(size, dc ?? 1).id };
  }

  /** A poll with the question `question`, the texts `options`, and `multiple` and `anonymous` as flags. */
  private poll(fields: Fields): Attachment {
    const named = fields.texts("options");
    const texts = named.length > 0 ? named : ["At seven", "At eight"];
    const { id } = this.world.polls.add({
      question: fields.optionalText("question") ?? "When do we meet?",
      answers: texts.map((text, at) => ({ text, option: Buffer.from([at]).toString("base64") })),
      multiple: fields.flag("multiple"),
      publicVoters: !fields.flag("anonymous"),
    });
    return { kind: "poll", pollId: id };
  }

  private attachmentOf(media: Exclude<(typeof attachments)[number], "poll">, dc: number | undefined): Attachment {
    if (media === "location") return { kind: "geo", lat: 51.5007, long: -0.1246 };
    if (media === "contact") return { kind: "contact", phone: "15550100001", firstName: "Alice", lastName: "", vcard: "" };
    const mediaId = stocked[media].find((id) => dc === undefined || this.world.media.get(id)?.dcId === dc);
    if (mediaId === undefined) throw new ControlError(400, `no ${media} lies in data centre ${dc}`);
    return { kind: "media", mediaId };
  }

  /** Returns the user id of an account, a username, a phone number or an id. */
  person(name: string): number {
    const peer = this.peerNamed(name);
    if (unmark(peer).kind !== "user") throw new ControlError(404, "person not found");
    return peer;
  }

  /** `chat` is a marked id, an account, a username or a phone number; default: the account's first contact. */
  chat(account: Account, fields: Fields): MarkedId {
    const chat = fields.optionalText("chat");
    return chat === undefined ? ([...account.contacts][0] ?? memberPerson(0).id) : this.peerNamed(chat);
  }

  private peerNamed(chat: string): MarkedId {
    if (/^-?\d{1,16}$/.test(chat)) {
      const marked = Number(chat);
      const { kind, id } = unmark(marked);
      const found =
        kind === "user" ? this.world.accounts.person(id) : kind === "chat" ? this.world.chats.group(id) : this.world.chats.channel(id);
      if (found !== undefined) return marked;
    }
    const name = chat.replace(/^@/, "");
    const person =
      this.world.accounts.get(name)?.person ??
      this.world.accounts.personByUsername(name) ??
      this.world.accounts.personByPhone(chat.replace(/\D/g, ""));
    const channel = person === undefined ? this.world.chats.channelByUsername(name) : undefined;
    if (person !== undefined) return person.id;
    if (channel !== undefined) return markChannel(channel.id);
    throw new ControlError(404, "chat not found");
  }

  /** `from` is an account or a user id. In a private chat, the author is always the other side. */
  author(account: Account, peer: MarkedId, fields: Fields): number {
    const { kind, id } = unmark(peer);
    if (kind === "user") return id;
    const from = fields.optionalText("from");
    if (from !== undefined) {
      const person = this.world.accounts.get(from)?.person ?? this.world.accounts.person(Number(from));
      if (person === undefined) throw new ControlError(404, "from not found");
      return person.id;
    }
    if (kind === "chat")
      return [...(this.world.chats.group(id)?.members.keys() ?? [])].find((member) => member !== account.userId) ?? memberPerson(0).id;
    const channel = this.world.chats.channel(id);
    return channel === undefined || channel.broadcast
      ? 0
      : (channel.memberIds(0, 5).find((member) => member !== account.userId) ?? memberPerson(0).id);
  }
}

/** Returns the given entities and those that the platform detects. */
function entitiesOf(fields: Fields, text: string): string[] | undefined {
  const given = fields.objects("entities").map((entity) => {
    const read = readEntity(entity);
    if (read === undefined) throw new ControlError(400, `entities: no type ${String(entity["type"])}`);
    return read;
  });
  if (!entitiesFit(text, given)) throw new ControlError(400, "entities must lie inside the text");
  return storeEntities(foundEntities(text, given));
}

function changeOf(peer: MarkedId): Api.TypeUpdate {
  const { kind, id } = unmark(peer);
  if (kind === "user") return new Api.UpdateUser({ userId: long(id) });
  return kind === "chat" ? new Api.UpdateChat({ chatId: long(id) }) : new Api.UpdateChannel({ channelId: long(id) });
}
