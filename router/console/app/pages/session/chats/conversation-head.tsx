import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { announce } from "../../../ui/announcer.js";
import { Button } from "../../../ui/button.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";
import { ChatHead } from "./chat-head.js";
import { chatKindNames, chatName, recipientIn } from "./chat-rows.js";
import type { AnyChat, AnyChatMessage, AnyChatRow } from "./chat-types.js";

export interface ConversationHeadProps {
  readonly session: SessionName;
  readonly id: string;
  /** `undefined` until a list or a message has it. */
  readonly chat: AnyChat | undefined;
  readonly kind: AnyChatRow["kind"] | undefined;
  /** The newest message of another person. */
  readonly newest: AnyChatMessage | undefined;
  /** Address of the list. */
  readonly back: string;
  readonly onRead: () => void;
}

const tabsOfKinds = { group: ["groups", "Members"], channel: ["channels", "Channel posts"] } as const;

/** Heading of a conversation. Opening a chat does not mark it as read, so a button does. */
export function ConversationHead({ session, id, chat, kind, newest, back, onRead }: ConversationHeadProps) {
  const action = useAction(async (signal) => {
    const of = { messageId: newest?.id, author: newest?.author?.id };
    await sessionCall(session, "POST /message/read", { body: { ...recipientIn(session, id), ...of }, signal });
    announce("Marked as read");
    onRead();
  });
  const { username = "", phone = "" } = chat ?? {};
  const facts = [
    kind === undefined || kind === "person" ? "" : chatKindNames[kind],
    username === "" ? "" : `@${username}`,
    phone === "" ? "" : `+${phone}`,
  ];
  const [tab, label] = kind === undefined || kind === "person" ? [] : tabsOfKinds[kind];
  return (
    <>
      <ChatHead name={chat === undefined ? id : chatName(chat)} picture="" back={back} what="Back to chats" facts={facts}>
        {tab !== undefined && (
          <a class="button" href={to("/sessions/:id/:tab/:chat", { id: session.id, tab, chat: id })}>
            {label}
          </a>
        )}
        {newest !== undefined && (
          <Button icon="check" busy={action.busy} onClick={() => action.run()}>
            Mark as read
          </Button>
        )}
      </ChatHead>
      {action.failure !== undefined && <FailureNotice failure={action.failure} doing="mark messages as read" />}
    </>
  );
}
