import { markChannel, markChat, type MarkedId } from "./ids.js";

/** The action of a service message: a change of the chat by the message's author. */
export type ServiceAction =
  | { readonly kind: "group-made"; readonly title: string; readonly userIds: readonly number[] }
  | { readonly kind: "channel-made"; readonly title: string }
  | { readonly kind: "renamed"; readonly title: string }
  | { readonly kind: "photo-set"; readonly photoId: number }
  | { readonly kind: "photo-removed" }
  /** Seconds after which messages disappear; 0: never. */
  | { readonly kind: "timer-set"; readonly period: number }
  | { readonly kind: "added"; readonly userIds: readonly number[] }
  | { readonly kind: "removed"; readonly userId: number }
  | { readonly kind: "joined-by-link"; readonly inviterId: number }
  | { readonly kind: "migrated-to"; readonly channelId: number }
  | { readonly kind: "migrated-from"; readonly groupId: number; readonly title: string };

/** Returns the other chat that the action names. */
export function chatNamedBy(action: ServiceAction): MarkedId | undefined {
  if (action.kind === "migrated-to") return markChannel(action.channelId);
  return action.kind === "migrated-from" ? markChat(action.groupId) : undefined;
}

/** Returns the users that the action names, besides its author. */
export function namedBy(action: ServiceAction): readonly number[] {
  if (action.kind === "group-made" || action.kind === "added") return action.userIds;
  if (action.kind === "joined-by-link") return [action.inviterId];
  return action.kind === "removed" ? [action.userId] : [];
}
