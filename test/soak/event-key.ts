import type { DeletedMessages, PrivateMessage, ReadMessages, WebhookBody } from "../../shared/contract/telegram/webhook-body.js";
import type { HappeningEntry } from "../sandbox/telegram/world/happenings.js";

/** Returns the content of an event as a text that compares with `keyOfRow`. */
export function keyOfEvent({ type, data }: WebhookBody): string {
  switch (type) {
    case "message.new":
    case "message.edited": {
      const { chat, id, text, fromMe } = data as PrivateMessage;
      return [type === "message.new" ? "new" : "edited", chat.id, id, text, fromMe].join("|");
    }
    case "message.deleted": {
      const { chat, ids } = data as DeletedMessages;
      return ["deleted", chat.id, ...sorted(ids)].join("|");
    }
    case "message.read": {
      const { chat, until, by } = data as ReadMessages;
      return ["read", chat.id, until, by].join("|");
    }
    case "test":
      return "test";
    case "message.reaction":
    case "poll.vote":
    case "group.message.new":
    case "group.message.edited":
    case "group.message.deleted":
    case "group.changed":
    case "channel.message.new":
      throw new Error(`the receiver does not list ${type}`);
    default:
      return type satisfies never;
  }
}

/** Returns `undefined` for happenings without an event: reactions, and actions of the gateway itself. */
export function keyOfRow(row: HappeningEntry): string | undefined {
  if (row.own) return undefined;
  switch (row.kind) {
    case "new":
    case "edited":
      return [row.kind, row.chat, row.messageId, row.text, row.out].join("|");
    case "deleted":
      return ["deleted", row.chat, ...sorted(row.messageIds)].join("|");
    case "read":
      return ["read", row.chat, row.until, row.by].join("|");
    case "reacted":
      return undefined;
    default:
      return row satisfies never;
  }
}

function sorted(ids: readonly string[]): string[] {
  return [...ids].sort((a, b) => Number(a) - Number(b));
}
