import { useEffect, useRef, useState } from "preact/hooks";
import { randomKey } from "../../../api/random-key.js";
import { sessionCall } from "../../../api/session-call.js";
import { announce } from "../../../ui/announcer.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/confirm.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";
import { PickerDialog } from "../send/recipient-picker.js";
import type { Recipient } from "../send/recipient-choices.js";
import { actionsOf, recipientIn } from "./chat-rows.js";
import type { MessageProps } from "./message-props.js";

/** Reactions that every chat of both platforms accepts unless its owner limits them. */
const emojis = ["👍", "❤️", "😂", "😮", "😢", "🙏"] as const;

/** What can be done with a message. */
export function MessageActions({ session, chat, message, reaction, onWrite, onReact, onChange }: MessageProps) {
  const [forwarding, setForwarding] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: "nearest" }), []);
  const offered = actionsOf(session, chat, message);
  const to = recipientIn(session, chat);
  const author = message.author?.id;
  const react = useAction(async (signal, emoji: string) => {
    const body = { ...to, messageId: message.id, author, emoji };
    await sessionCall(session, "POST /message/reaction", { body, signal });
    announce(emoji === "" ? "Reaction removed" : "Reaction sent");
    onReact(emoji);
  });
  const forward = useAction(async (signal, { kind, to: receiver }: Recipient) => {
    const headers = { "idempotency-key": randomKey() };
    await sessionCall(session, "POST /message/forward", { body: { [kind]: receiver, ref: message.ref }, headers, signal });
    announce("Message forwarded");
    onChange();
  });
  return (
    <div ref={element} class="message-actions" role="group" aria-label="Message actions">
      <div class="actions">
        {emojis.map((emoji) => (
          <Button key={emoji} kind="quiet" disabled={react.busy} onClick={() => react.run(emoji)}>
            <span class="unseen">React with </span>
            {emoji}
          </Button>
        ))}
        {reaction !== "" && (
          <Button kind="quiet" disabled={react.busy} onClick={() => react.run("")}>
            Remove reaction
          </Button>
        )}
      </div>
      <div class="actions">
        <Button onClick={() => onWrite({ kind: "reply", message })}>Reply</Button>
        {offered.forward && (
          <Button opensDialog busy={forward.busy} onClick={() => setForwarding(true)}>
            Forward
          </Button>
        )}
        {offered.edit && <Button onClick={() => onWrite({ kind: "edit", message })}>Edit</Button>}
        {offered.remove && (
          <Confirm
            label="Delete"
            kind="danger"
            title="Delete message?"
            act={async (signal) => {
              const query = { ...to, author };
              return await sessionCall(session, `DELETE /message/${encodeURIComponent(message.id)}`, { query, signal });
            }}
            onDone={onChange}
          >
            <p>The message is deleted for everyone in the chat. This can't be undone.</p>
          </Confirm>
        )}
      </div>
      {react.failure !== undefined && <FailureNotice failure={react.failure} doing="send reaction" />}
      {forward.failure !== undefined && <FailureNotice failure={forward.failure} doing="forward message" />}
      {forwarding && (
        <PickerDialog
          title="Forward message"
          session={session}
          onClose={() => setForwarding(false)}
          onPick={(chosen) => {
            setForwarding(false);
            forward.run(chosen);
          }}
        />
      )}
    </div>
  );
}
