/** Reply to a request that joins a chat. Only GramJS's successor reads it. */
export interface JoinReply {
  readonly updates: unknown;
}

/** Since layer 227 the platform wraps the updates of such a request (`messages.chatInviteJoinResultOk`). */
export function isJoinReply(reply: unknown): reply is JoinReply {
  return typeof reply === "object" && reply !== null && "className" in reply && reply.className === "messages.ChatInviteJoinResultOk";
}
