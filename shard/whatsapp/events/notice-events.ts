import {
  getAllBinaryNodeChildren,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  jidNormalizedUser,
  type BinaryNode,
} from "@whiskeysockets/baileys";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import type { WhatsAppEventData } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { UpdateEvent } from "../../session/session-context.js";
import { isUserJid, userOf } from "../jid.js";
import { eventId } from "./event-id.js";
import type { OwnJids } from "./incoming-stanza.js";
import { directed, isoDate } from "./message-events.js";
import type { People } from "./people.js";

/** Makes the events of receipts, group notifications and calls. */
export class NoticeEvents {
  constructor(
    private readonly session: SessionId,
    private readonly people: People,
    /** True if the session keeps a history of its messages. */
    private readonly keepsHistory: boolean,
  ) {}

  async ofReceipt(node: BinaryNode, me: OwnJids, requested: ReadonlySet<EventType>): Promise<UpdateEvent[]> {
    const receipt = readReceipt(node, me);
    if (receipt === undefined) return [];
    const { type, by, chatJid, ids } = receipt;
    // What the account reads on another device is no longer unread.
    const isKept = this.keepsHistory && by === "me";
    if (!requested.has(type) && !isKept) return [];
    const chat = await this.people.person(chatJid, {});
    const parts = [type, by, chatJid, ...ids];
    if (type === "message.delivered") return [this.event<"message.delivered">(type, node, parts, { chat, ids })];
    const event = this.event<"message.read">(type, node, parts, { chat, until: ids.at(-1) ?? "", ids, by });
    return [isKept ? directed(event, requested.has(type) ? "both" : "history") : event];
  }

  async ofGroupNotice(node: BinaryNode, requested: ReadonlySet<EventType>): Promise<UpdateEvent[]> {
    if (!requested.has("group.changed")) return [];
    const { from = "", participant = "", participant_pn: otherJid = "", id = "" } = node.attrs;
    const chat = this.people.group(from);
    const author = await this.people.person(participant === "" ? "" : jidNormalizedUser(participant), { otherJid });
    const changes = getAllBinaryNodeChildren(node).slice(0, changesMax);
    return changes.map((change, index) =>
      this.event<"group.changed">("group.changed", node, ["group", from, id, index], {
        chat,
        author,
        change: change.tag,
        members: getBinaryNodeChildren(change, "participant")
          .slice(0, membersMax)
          .flatMap(({ attrs }) => attrs["jid"] ?? []),
        value: valueOf(change),
      }),
    );
  }

  /** Only the offer of a call gives an event. */
  async ofCall(node: BinaryNode, requested: ReadonlySet<EventType>): Promise<UpdateEvent[]> {
    const offer = getBinaryNodeChild(node, "offer");
    if (offer === undefined || !requested.has("call.offered")) return [];
    const { "call-id": id = "", "call-creator": creator, caller_pn: otherJid = "", "group-jid": group = "" } = offer.attrs;
    const chat = await this.people.person(jidNormalizedUser(creator ?? node.attrs["from"]), { otherJid });
    const video = getBinaryNodeChild(offer, "video") !== undefined;
    return [this.event<"call.offered">("call.offered", node, ["call", id], { id, chat, video, group })];
  }

  /** Makes the event of a message that the platform refused when nothing waited for its ack any more. */
  async ofRefusal(node: BinaryNode, requested: ReadonlySet<EventType>): Promise<UpdateEvent[]> {
    const { from = "", id = "", error = "" } = node.attrs;
    if (error === "" || !requested.has("message.failed")) return [];
    const chat = isUserJid(from) ? await this.people.person(jidNormalizedUser(from), {}) : this.people.group(from);
    return [this.event<"message.failed">("message.failed", node, ["failed", from, id, error], { chat, id, code: error })];
  }

  private event<T extends EventType>(
    type: T,
    { attrs }: BinaryNode,
    parts: readonly (string | number)[],
    data: WhatsAppEventData[T],
  ): UpdateEvent {
    return { id: eventId(this.session, parts), type, created: isoDate(Number(attrs["t"] ?? 0) * 1_000), data };
  }
}

interface Receipt {
  readonly type: "message.read" | "message.delivered";
  readonly by: "them" | "me";
  readonly chatJid: string;
  readonly ids: string[];
}

/** Reads a receipt of a private chat; `undefined` for any other receipt. */
function readReceipt(node: BinaryNode, me: OwnJids): Receipt | undefined {
  const { from = "", recipient, id = "", type = "", participant } = node.attrs;
  if (!isUserJid(from) || participant !== undefined) return undefined;
  const isMine = [me.id, me.lid].some((jid) => jid !== "" && userOf(jid) === userOf(from));
  const chatJid = jidNormalizedUser(isMine ? (recipient ?? "") : from);
  const items = getBinaryNodeChildren(getBinaryNodeChild(node, "list"), "item").slice(0, receiptsMax);
  const ids = [id, ...items.flatMap(({ attrs }) => attrs["id"] ?? [])];
  if (chatJid === "" || id === "") return undefined;
  if (isMine) return type === "read" || type === "read-self" ? { type: "message.read", by: "me", chatJid, ids } : undefined;
  if (type === "read") return { type: "message.read", by: "them", chatJid, ids };
  return type === "" || type === "inactive" ? { type: "message.delivered", by: "them", chatJid, ids } : undefined;
}

function valueOf(change: BinaryNode): string {
  const body = getBinaryNodeChild(change, "body")?.content;
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : typeof body === "string" ? body : undefined;
  return text ?? change.attrs["subject"] ?? change.attrs["expiration"] ?? change.attrs["code"] ?? "";
}

/** Far above what the platform puts into one stanza. */
const changesMax = 100;
const membersMax = 5_000;
const receiptsMax = 5_000;
