import { Api } from "telegram";
import { isJoinReply } from "../updates/join-reply.js";

/** Returns the chats that the response of a change names. */
export function chatsIn(response: unknown): readonly Api.TypeChat[] {
  if (isJoinReply(response)) return chatsIn(response.updates);
  return response instanceof Api.Updates || response instanceof Api.UpdatesCombined ? response.chats : [];
}
