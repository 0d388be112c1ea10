import type * as telegram from "../../../../../../shared/contract/telegram/channel.js";
import type * as whatsapp from "../../../../../../shared/contract/whatsapp/channel.js";
import { mediaPath } from "../../../api/session-call.js";
import { Icon } from "../../../ui/icon.js";
import { bytesText } from "../../../ui/bytes-text.js";
import { instantText } from "../../../ui/instant-text.js";
import { countText } from "../../../ui/count-text.js";
import { Player } from "./player.js";

/** As either platform has it: one of them gives no links to its files. */
export type AnyMessage = Omit<whatsapp.ChannelMessage, "type"> & Partial<telegram.ChannelMessage> & Pick<telegram.ChannelMessage, "type">;

/** One message of a channel, with its file. */
export function ChannelPost({ post }: { post: AnyMessage }) {
  const { text, created, views, edited = "" } = post;
  return (
    <article class="card post">
      <PostFile post={post} />
      {text !== "" && (
        <p class="post-text" dir="auto">
          {text}
        </p>
      )}
      <p class="soft post-foot">
        <time dateTime={created} title={created}>
          {instantText(created)}
        </time>
        {edited !== "" && " · edited"}
        {` · ${countText(views, ["view", "views"])}`}
      </p>
    </article>
  );
}

function PostFile({ post }: { post: AnyMessage }) {
  const { type, mimetype, size, url = "", thumbnail = "", name = "", width = 0, height = 0 } = post;
  if (type === "text") return null;
  if (url === "") return size === 0 ? null : <FileFacts text={[mimetype, bytesText(size)].join(", ")} />;
  const [file, small] = [mediaPath(url), thumbnail === "" ? undefined : mediaPath(thumbnail)];
  const shape = width > 0 && height > 0 ? { width, height } : {};
  switch (type) {
    case "image":
    case "sticker":
      return (
        <a href={file} target="_blank" rel="noreferrer">
          <img
            class={`post-picture ${type}`}
            src={small ?? file}
            alt={type === "sticker" ? "Sticker" : "Picture"}
            loading="lazy"
            {...shape}
          />
        </a>
      );
    case "video":
      return <Player kind="video" src={file} poster={small} label="Video" {...shape} />;
    case "audio":
      return <Player kind="audio" src={file} label={name === "" ? "Audio" : name} />;
    case "document":
    case "other":
      return (
        <a class="attachment" href={file} target="_blank" rel="noreferrer">
          <Icon name="file" />
          <span>{[name === "" ? mimetype : name, bytesText(size)].join(", ")}</span>
        </a>
      );
    default:
      return type satisfies never;
  }
}

function FileFacts({ text }: { text: string }) {
  return (
    <div class="attachment">
      <Icon name="file" />
      <span>{text}</span>
    </div>
  );
}
