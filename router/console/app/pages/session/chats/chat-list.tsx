import { useMemo, useState } from "preact/hooks";
import type { Pages } from "../../../api/use-pages.js";
import { to } from "../../../route/match-route.js";
import { Field } from "../../../ui/field.js";
import { LongList } from "../../../ui/long-list.js";
import { numberText } from "../../../ui/number-text.js";
import { PageFoot } from "../../../ui/page-foot.js";
import { Empty } from "../../../ui/view.js";
import { ChatLine } from "./chat-line.js";
import { chatKindNames, chatName, summaryOf } from "./chat-rows.js";
import type { AnyChatRow } from "./chat-types.js";
import { foundIn } from "./found-in.js";

export interface ChatListProps {
  readonly session: string;
  readonly chats: Pages<AnyChatRow>;
  /** Id of the open chat. */
  readonly open: string | undefined;
}

const rowHeight = 60;

/** The account's chats, the one with the newest message first. */
export function ChatList({ session, chats, open }: ChatListProps) {
  const [q, setQ] = useState("");
  const { rows } = chats;
  const found = useMemo(() => rows.filter(({ chat: { id, name, username, phone } }) => foundIn(q, [name, username, phone, id])), [rows, q]);
  const isNarrowed = q.trim() !== "";
  return (
    <section class="chat-list" aria-label="Chat list">
      <Field label="Search chats" type="search" value={q} onInput={setQ} />
      <LongList
        label="Chats"
        rows={found}
        keyOf={({ chat }) => chat.id}
        rowHeight={rowHeight}
        foot={
          rows.length === 0 && !chats.loading && chats.failure === undefined ? (
            <Empty title="No chats yet">
              <p>Chats appear here when messages arrive.</p>
            </Empty>
          ) : (
            <PageFoot pages={chats} nouns={["chat", "chats"]} {...(isNarrowed ? { found: found.length } : {})} />
          )
        }
      >
        {({ kind, chat, unread, last }) => (
          <ChatLine
            name={chatName(chat)}
            more={`${kind === "person" ? "" : `${chatKindNames[kind]} · `}${last.fromMe ? "You: " : ""}${summaryOf(last)}`}
            href={to("/sessions/:id/:tab/:chat", { id: session, tab: "chats", chat: chat.id })}
            current={chat.id === open}
            end={
              unread > 0 && (
                <span class="unread">
                  {numberText(unread)}
                  <span class="unseen"> unread</span>
                </span>
              )
            }
          />
        )}
      </LongList>
    </section>
  );
}
