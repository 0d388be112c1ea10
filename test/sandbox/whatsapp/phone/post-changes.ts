import { type BinaryNode, proto } from "@whiskeysockets/baileys";
import { bytesOf, child, children } from "../protocol/node.js";
import type { Account } from "../world/account.js";
import type { Channel, Post } from "../world/channel.js";
import { kindOfChat } from "../world/jid.js";
import type { Received } from "../world/received.js";
import type { World } from "../world/world.js";
import type { Device } from "../whatsapp-backend.js";
import type { OtherSide } from "./other-side.js";

/** Values of a stanza's `edit`: post edited, reaction removed, post deleted (whatsmeow's types/message.go, EditAttribute). */
const edits = { edited: "3", reactionTakenBack: "7", takenBack: "8" } as const;
const maxReaction = 64;

type ChangeKind = Extract<Received, { type: "change" }>["kind"];
export type Change = { readonly error: number } | { readonly serverId: number };

/**
 * Changes existing posts: channel admins edit and delete under the post's id, and all accounts react and view by server id (whatsmeow's
 * send.go, sendNewsletter; newsletter.go, NewsletterSendReaction).
 */
export class PostChanges {
  constructor(
    private readonly world: World,
    private readonly otherSide: OtherSide,
  ) {}

  /** Returns `undefined` if the stanza is no such change. */
  take(stanza: BinaryNode, account: Account, device: Device): Change | undefined {
    const { to = "", type, edit, id = "", server_id: serverId } = stanza.attrs;
    if (kindOfChat(to) !== "newsletter" || (edit === undefined && type !== "reaction")) return undefined;
    const channel = this.world.channel(to);
    if (channel === undefined || channel.deleted) return { error: 404 };
    if (type === "reaction") {
      const reacted = this.react(channel, channel.post({ serverId: Number(serverId) }), stanza, account);
      if ("serverId" in reacted) this.note(account, channel, reacted.serverId, "reaction", child(stanza, "reaction")?.attrs.code ?? "");
      return reacted;
    }
    if (!channel.isRunBy(account)) return { error: 403 };
    const post = channel.post({ id });
    if (post?.message === undefined) return { error: 404 };
    const message = edit === edits.takenBack ? undefined : bytesOf(child(stanza, "plaintext"));
    if (edit !== edits.takenBack && (edit !== edits.edited || message === undefined)) return { error: 400 };
    const changed = { ...post, message, editedAt: Date.now() };
    this.replace(channel, changed);
    this.otherSide.post(channel, changed, { by: device, edit });
    this.note(account, channel, post.serverId, message === undefined ? "deleted" : "edited", message === undefined ? "" : textOf(message));
    return { serverId: post.serverId };
  }

  /** Each account counts once per post. */
  seen(stanza: BinaryNode, account: Account): void {
    const channel = this.world.channel(stanza.attrs.to ?? "");
    for (const { attrs } of children(child(stanza, "list"), "item")) {
      const post = channel?.post({ serverId: Number(attrs.server_id) });
      if (channel === undefined || post === undefined || post.seenBy?.includes(account.phone) === true) continue;
      this.counted(channel, { ...post, seenBy: [...(post.seenBy ?? []), account.phone] });
    }
  }

  private react(channel: Channel, post: Post | undefined, stanza: BinaryNode, { phone }: Account): Change {
    if (post?.message === undefined) return { error: 404 };
    const code = child(stanza, "reaction")?.attrs.code;
    const { [phone]: _former, ...others } = post.reactions ?? {};
    if (stanza.attrs.edit === edits.reactionTakenBack) this.counted(channel, { ...post, reactions: others });
    else if (code === undefined || code === "" || code.length > maxReaction) return { error: 400 };
    else this.counted(channel, { ...post, reactions: { ...others, [phone]: code } });
    return { serverId: post.serverId };
  }

  private note({ account }: Account, { id: chat }: Channel, serverId: number, kind: ChangeKind, text: string): void {
    this.world.received.add({ type: "change", account, chat, serverId, kind, text });
  }

  private counted(channel: Channel, post: Post): void {
    this.replace(channel, post);
    this.otherSide.live(channel, post);
  }

  private replace(channel: Channel, post: Post): void {
    channel.replace(post);
    this.world.changed("world");
  }
}

function textOf(bytes: Buffer): string {
  const { conversation, extendedTextMessage } = proto.Message.decode(bytes);
  return extendedTextMessage?.text ?? conversation ?? "";
}
