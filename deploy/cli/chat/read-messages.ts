import type { Cli } from "../cli.js";
import { isChatMessagePage, type ChatMessageRow, type Page, type SessionRow } from "../gateway/responses.js";

export interface MessagesOf {
  readonly session: Pick<SessionRow, "id" | "platform">;
  readonly chat: string;
  readonly limit: number;
  /** Id of the message before which the page ends. */
  readonly before?: string | undefined;
}

/** Returns one page of a chat's messages, newest first. */
export async function readMessages({ client }: Cli, { session, chat, limit, before }: MessagesOf): Promise<Page<ChatMessageRow>> {
  const path = `${client.address.paths[session.platform]}/chat/message`;
  const query = { chat, limit: String(limit), before };
  return await client.request({ path, query, headers: { id: session.id } }, isChatMessagePage);
}
