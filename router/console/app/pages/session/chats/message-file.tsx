import type { channelMessageKinds } from "../../../../../../shared/contract/telegram/channel.js";
import { mediaPath } from "../../../api/session-call.js";
import { Icon } from "../../../ui/icon.js";
import { bytesText } from "../../../ui/bytes-text.js";
import { Player } from "./player.js";

export interface FileOfMessage {
  readonly type: (typeof channelMessageKinds)[number];
  readonly mimetype: string;
  readonly size: number;
  readonly url?: string;
  readonly thumbnail?: string;
  readonly name?: string;
  readonly width?: number;
  readonly height?: number;
}

/** Shows the file of a message by its link, or its facts if there is no link. */
export function MessageFile({ of }: { of: FileOfMessage }) {
  const { type, mimetype, size, url = "", thumbnail = "", name = "", width = 0, height = 0 } = of;
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
