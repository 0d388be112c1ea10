import { Api } from "telegram";

/**
 * Returns the ids of people in whose private chats a result or update has messages. Skips service messages, such as that a contact has
 * joined.
 */
export function correspondentsIn(object: object): string[] {
  if (object instanceof Api.UpdateShortMessage) return [object.userId.toString()];
  const messages: unknown[] = [
    ...listIn(object, "messages"),
    ...listIn(object, "newMessages"),
    ...[...listIn(object, "updates"), ...("update" in object ? [object.update] : [])].flatMap((update) =>
      update instanceof Api.UpdateNewMessage ? [update.message] : [],
    ),
  ];
  return messages.flatMap((message) =>
    message instanceof Api.Message && message.peerId instanceof Api.PeerUser ? [message.peerId.userId.toString()] : [],
  );
}

function listIn(object: object, name: "messages" | "newMessages" | "updates"): readonly unknown[] {
  const list: unknown = (object as Partial<Record<typeof name, unknown>>)[name];
  return Array.isArray(list) ? list : [];
}
