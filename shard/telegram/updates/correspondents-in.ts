import { Api } from "telegram";

/** With whom the messages of private chats were exchanged that stand in a result or an update. Notices of the platform, as that somebody has joined it, are none. */
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
