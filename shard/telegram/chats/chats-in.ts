import { Api } from "telegram";

/** Returns the chats that the response of a change names. */
export function chatsIn(updates: Api.TypeUpdates): readonly Api.TypeChat[] {
  return updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined ? updates.chats : [];
}
