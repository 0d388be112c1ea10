import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { instantText } from "../../../ui/instant-text.js";
import { chatName, summaryOf } from "./chat-rows.js";
import type { AnyChatMessage, AnyPoll } from "./chat-types.js";
import { MessageActions } from "./message-actions.js";
import { MessageFile } from "./message-file.js";
import type { MessageProps } from "./message-props.js";

/** One message with its actions. */
export function Message(props: MessageProps) {
  const { message, quoted, reaction, isOpen, onOpen } = props;
  const { fromMe, author, text, created, edited, replyTo } = message;
  return (
    <li class={fromMe ? "from-me" : ""}>
      <div class="message-line">
        <article class="bubble">
          {author !== undefined && !fromMe && (
            <p class="author" dir="auto">
              {chatName(author)}
            </p>
          )}
          {replyTo !== "" && <blockquote dir="auto">{quoted === undefined ? "Reply to an earlier message" : summaryOf(quoted)}</blockquote>}
          <Content of={message} />
          {text !== "" && (
            <p class="bubble-text" dir="auto">
              {text}
            </p>
          )}
          <p class="soft post-foot">
            {fromMe && <span class="unseen">Sent by you, </span>}
            <time dateTime={created}>{instantText(created)}</time>
            {edited !== "" && " · edited"}
            {reaction !== "" && ` · You reacted ${reaction}`}
          </p>
        </article>
        <Button
          kind="quiet"
          icon="more"
          label={`Actions: ${summaryOf(message).slice(0, labelMax)}`}
          expanded={isOpen}
          onClick={() => onOpen()}
        />
      </div>
      {isOpen && <MessageActions {...props} />}
    </li>
  );
}

const labelMax = 60;

function placeText({ name, address, latitude, longitude }: NonNullable<AnyChatMessage["location"]>): string {
  return [name, address, `${latitude}, ${longitude}`].filter((part) => part !== "").join(" · ");
}

/** What a message has besides its text. */
function Content({ of }: { of: AnyChatMessage }) {
  const { type, location, contact, poll, viewOnce = false } = of;
  switch (type) {
    case "location":
      return (
        <div class="attachment">
          <Icon name="place" />
          <span>{location === undefined ? "" : placeText(location)}</span>
        </div>
      );
    case "contact":
      return (
        <div class="attachment">
          <Icon name="person" />
          <span>{[contact?.name, contact?.phone].filter((part) => part !== "").join(" · ")}</span>
        </div>
      );
    case "poll":
      return <Poll of={poll} />;
    case "other":
      if (poll !== undefined) return <Poll of={poll} />;
      if (of.url === "") return <p class="soft">{viewOnce ? "Media that can be viewed once, on the phone" : "Unsupported message"}</p>;
      return <MessageFile of={{ ...of, type }} />;
    case "text":
    case "image":
    case "video":
    case "audio":
    case "sticker":
    case "document":
      return <MessageFile of={{ ...of, type }} />;
    default:
      return type satisfies never;
  }
}

function Poll({ of: { question = "", options, multiple } = { options: [], multiple: false } }: { of: AnyPoll | undefined }) {
  return (
    <>
      {question !== "" && (
        <p class="bubble-text" dir="auto">
          {question}
        </p>
      )}
      <ul class="poll" aria-label={multiple ? "Poll, several answers" : "Poll, one answer"}>
        {options.map((option) => (
          <li key={option} dir="auto">
            {option}
          </li>
        ))}
      </ul>
    </>
  );
}
