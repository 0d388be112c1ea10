import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { randomKey } from "../../../api/random-key.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { Button } from "../../../ui/button.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";
import { recipientField, recipientIn, summaryOf } from "./chat-rows.js";
import type { AnyChatMessage } from "./chat-types.js";
import { PollDialog } from "./poll-dialog.js";
import { VoiceDialog } from "./voice-dialog.js";

/** What the text field holds: a new message, a reply, or the new text of a message. */
export type Draft = { readonly kind: "new" } | { readonly kind: "reply" | "edit"; readonly message: AnyChatMessage };

export interface ComposerProps {
  readonly session: SessionName;
  readonly chat: string;
  readonly draft: Draft;
  /** The reply or edit was sent or cancelled. */
  readonly onEnd: () => void;
  readonly onChange: () => void;
}

/** Writes to the chat: texts, replies, edits, polls and voice messages. */
export function Composer({ session, chat, draft, onEnd, onChange }: ComposerProps) {
  const [text, setText] = useState("");
  const [key, setKey] = useState(randomKey);
  const [dialog, setDialog] = useState<"poll" | "voice">();
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const recipient = recipientIn(session, chat);
  const action = useAction(async (signal) => {
    const common = { headers: { "idempotency-key": key }, signal };
    if (draft.kind === "edit") {
      await sessionCall(session, `PATCH /message/${encodeURIComponent(draft.message.id)}`, { body: { ...recipient, text }, ...common });
    } else {
      const replyTo = draft.kind === "reply" ? (draft.message.ref ?? draft.message.id) : undefined;
      await sessionCall(session, "POST /message", { body: { ...recipient, type: "text", text, replyTo }, ...common });
    }
    write("");
    onEnd();
    onChange();
  });
  const write = (written: string): void => {
    action.clear();
    setText(written);
    // Another text is another request.
    setKey(randomKey());
  };
  const send = (): void => {
    if (text.trim() !== "") action.run();
  };
  // Before the page is drawn, so that what is typed right after a click on "Reply" is not lost.
  useLayoutEffect(() => {
    if (draft.kind === "edit") write(draft.message.text);
    // The same text as a reply is another request.
    else setKey(randomKey());
    if (draft.kind !== "new") field.current?.focus();
  }, [draft]);
  const cancel = (): void => {
    if (draft.kind === "edit") write("");
    onEnd();
    field.current?.focus();
  };
  const ended = (): void => {
    setDialog(undefined);
    onChange();
  };
  // WhatsApp's channels take neither.
  const takesMore = recipientField(session.platform, chat) !== "newsletter";
  return (
    <>
      <form
        class="composer"
        aria-label="Write message"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {draft.kind !== "new" && (
          <p class="draft">
            <span dir="auto">
              {draft.kind === "reply" ? "Reply to: " : "Edit: "}
              {summaryOf(draft.message)}
            </span>
            <Button kind="quiet" icon="close" label="Cancel" onClick={() => cancel()} />
          </p>
        )}
        {action.failure !== undefined && (
          <FailureNotice failure={action.failure} doing={draft.kind === "edit" ? "edit message" : "send message"} />
        )}
        <div class="composer-line">
          <label class="unseen" for={id}>
            Message
          </label>
          <textarea
            ref={field}
            id={id}
            rows={2}
            dir="auto"
            placeholder="Message"
            spellcheck
            // Text typed now would be lost when the message is sent.
            readOnly={action.busy}
            value={text}
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape" && draft.kind !== "new") cancel();
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
          <Button type="submit" kind="primary" icon="send" busy={action.busy} label={draft.kind === "edit" ? "Save text" : "Send"} />
        </div>
        <div class="actions">
          {takesMore && (
            <>
              <Button kind="quiet" opensDialog onClick={() => setDialog("poll")}>
                Poll
              </Button>
              <Button kind="quiet" opensDialog onClick={() => setDialog("voice")}>
                Voice message
              </Button>
            </>
          )}
          <a
            class="button quiet"
            href={to("/sessions/:id/:tab", { id: session.id, tab: "send" }, { kind: recipientField(session.platform, chat), to: chat })}
          >
            File or place
          </a>
        </div>
      </form>
      {dialog === "poll" && <PollDialog session={session} chat={chat} onClose={() => setDialog(undefined)} onSent={ended} />}
      {dialog === "voice" && <VoiceDialog session={session} chat={chat} onClose={() => setDialog(undefined)} onSent={ended} />}
    </>
  );
}
