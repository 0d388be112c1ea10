import { useState } from "preact/hooks";
import type { Page } from "../../../api/rows.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { Button } from "../../../ui/button.js";
import { countText } from "../../../ui/count-text.js";
import { FailureNotice } from "../../../ui/notice.js";
import { Empty, Loading } from "../../../ui/view.js";
import { rowsMax, withFirstMessages } from "./chat-pages.js";
import type { AnyChatMessage, AnyChatRow } from "./chat-types.js";
import { Composer, type Draft } from "./composer.js";
import { ConversationHead } from "./conversation-head.js";
import { Message } from "./message.js";
import { useLivePages } from "./use-live-pages.js";
import { useScrollPlace } from "./use-scroll-place.js";

export interface ConversationProps {
  readonly session: SessionName;
  readonly chat: string;
  /** Row of the chat list; `undefined` until the list has it. */
  readonly known: AnyChatRow | undefined;
  /** Called when a message was sent, changed or read. */
  readonly onChange: () => void;
}

const everyMs = 5_000;
const pageLimit = 30;
/** GET /chat/message of one chat, oldest at the top, and what can be done with its messages. */
export function Conversation({ session, chat, known, onChange }: ConversationProps) {
  const messages = useLivePages<AnyChatMessage>({
    session: session.id,
    read: async (before, signal) =>
      await sessionCall<Page<AnyChatMessage>>(session, "GET /chat/message", { query: { chat, limit: pageLimit, before }, signal }),
    withFirst: withFirstMessages,
    everyMs,
  });
  const { rows, loading, failure, hasMore } = messages;
  const [draft, setDraft] = useState<Draft>({ kind: "new" });
  const [open, setOpen] = useState<string>();
  const [reactions, setReactions] = useState<ReadonlyMap<string, string>>(new Map());
  const { box, hold } = useScrollPlace(rows.at(-1)?.id);
  const changed = (): void => {
    setOpen(undefined);
    messages.reload();
    onChange();
  };
  const write = (written: Draft): void => {
    setOpen(undefined);
    setDraft(written);
  };
  return (
    <section class="conversation" aria-label="Conversation">
      <ConversationHead
        session={session}
        id={chat}
        chat={known?.chat ?? rows[0]?.chat}
        kind={known?.kind}
        newest={rows.find(({ fromMe }) => !fromMe)}
        back={to("/sessions/:id/:tab", { id: session.id, tab: "chats" })}
        onRead={onChange}
      />
      <div ref={box} class="messages" role="log" aria-label="Messages" tabIndex={0}>
        {hasMore && !loading && (
          <div class="actions">
            <Button onClick={() => messages.more()}>Load older</Button>
          </div>
        )}
        {loading && <Loading text="Loading messages…" />}
        {rows.length >= rowsMax && <p class="hint">The last {countText(rowsMax, ["message", "messages"])} are shown.</p>}
        <ol>
          {[...rows].reverse().map((message) => (
            <Message
              key={message.id}
              session={session}
              chat={chat}
              message={message}
              quoted={rows.find(({ id }) => id === message.replyTo)}
              reaction={reactions.get(message.id) ?? ""}
              isOpen={open === message.id}
              onOpen={() => {
                hold();
                setOpen(open === message.id ? undefined : message.id);
              }}
              onWrite={write}
              onReact={(emoji) => {
                setReactions(new Map([...reactions, [message.id, emoji]]));
                changed();
              }}
              onChange={changed}
            />
          ))}
        </ol>
        {rows.length === 0 && !loading && failure === undefined && <Empty title="No messages yet" />}
      </div>
      {failure !== undefined && <FailureNotice failure={failure} doing="load messages" onRetry={messages.reload} />}
      <Composer session={session} chat={chat} draft={draft} onEnd={() => setDraft({ kind: "new" })} onChange={changed} />
    </section>
  );
}
