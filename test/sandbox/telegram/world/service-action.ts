import { markChannel, markChat, type MarkedId } from "./ids.js";

/** What a service message tells of: something that was done to the chat, by its author. */
export type ServiceAction =
  | { readonly kind: "group-made"; readonly title: string; readonly userIds: readonly number[] }
  | { readonly kind: "channel-made"; readonly title: string }
  | { readonly kind: "renamed"; readonly title: string }
  | { readonly kind: "added"; readonly userIds: readonly number[] }
  | { readonly kind: "removed"; readonly userId: number }
  | { readonly kind: "joined-by-link"; readonly inviterId: number }
  | { readonly kind: "migrated-to"; readonly channelId: number }
  | { readonly kind: "migrated-from"; readonly groupId: number; readonly title: string };

/** Which other chat it names. */
export function chatNamedBy(action: ServiceAction): MarkedId | undefined {
  if (action.kind === "migrated-to") return markChannel(action.channelId);
  return action.kind === "migrated-from" ? markChat(action.groupId) : undefined;
}

/** Whom it names besides its author. */
export function namedBy(action: ServiceAction): readonly number[] {
  if (action.kind === "group-made" || action.kind === "added") return action.userIds;
  if (action.kind === "joined-by-link") return [action.inviterId];
  return action.kind === "removed" ? [action.userId] : [];
}
