import { sessionCall } from "../../../api/session-call.js";
import type { Page } from "../../../api/rows.js";
import type { TabProps } from "../tab-props.js";
import { ChatList } from "./chat-list.js";
import { withFirstChats } from "./chat-pages.js";
import type { AnyChatRow } from "./chat-types.js";
import { Conversation } from "./conversation.js";
import { useLivePages } from "./use-live-pages.js";

const everyMs = 15_000;
const pageLimit = 50;
const withFirst = withFirstChats<AnyChatRow>(({ chat }) => chat.id);

/** GET /chat, and beside it the messages of one chat. A phone shows one of the two. */
export function ChatsTab({ session, chat }: TabProps) {
  const chats = useLivePages<AnyChatRow>({
    session: session.id,
    read: async (after, signal) =>
      await sessionCall<Page<AnyChatRow>>(session, "GET /chat", { query: { limit: pageLimit, after }, signal }),
    withFirst,
    everyMs,
  });
  return (
    <div class={`chats ${chat === undefined ? "" : "with-conversation"}`}>
      <ChatList session={session.id} chats={chats} open={chat} />
      {chat === undefined ? (
        <p class="soft no-conversation">Select a chat to read its messages.</p>
      ) : (
        <Conversation
          key={chat}
          session={session}
          chat={chat}
          known={chats.rows.find((row) => row.chat.id === chat)}
          onChange={chats.reload}
        />
      )}
    </div>
  );
}
