import { Icon, type IconName } from "../../../ui/icon.js";
import type { ContentType, Values } from "./content-forms.js";

const icons: Readonly<Record<ContentType, IconName>> = {
  text: "text",
  image: "image",
  video: "video",
  audio: "audio",
  document: "file",
  location: "place",
  contact: "person",
};

const nothingYet = "Nothing to preview yet";

/** Previews the message without the file, because this page connects to no other server. */
export function MessagePreview({ type, values }: { type: ContentType; values: Values }) {
  const of = (field: string): string => values[`${type}.${field}`] ?? "";
  const text = values["text"] ?? "";
  return (
    <div class="chat-preview">
      <div class="bubble">
        {type === "text" ? (
          <p class="bubble-text" dir="auto">
            {text === "" ? nothingYet : text}
          </p>
        ) : (
          <>
            <div class={`attachment ${type}`}>
              <Icon name={icons[type]} />
              <span>{titleOf(type, of)}</span>
            </div>
            {hasCaption(type) && text !== "" && (
              <p class="bubble-text" dir="auto">
                {text}
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** A story fills a phone's screen. A text is drawn in white on dark green. */
export function StoryPreview({ type, values }: { type: ContentType; values: Values }) {
  const text = values["text"] ?? "";
  return (
    <div class={`story-preview ${type}`}>
      {type === "text" ? (
        <p class={sizeOf(text)} dir="auto">
          {text === "" ? nothingYet : text}
        </p>
      ) : (
        <>
          <Icon name={icons[type]} />
          <span>{fileName(values[`${type}.url`] ?? "")}</span>
          {text !== "" && (
            <p class="story-caption" dir="auto">
              {text}
            </p>
          )}
        </>
      )}
    </div>
  );
}

function hasCaption(type: ContentType): boolean {
  return type === "image" || type === "video" || type === "document";
}

function titleOf(type: ContentType, of: (field: string) => string): string {
  switch (type) {
    case "location":
      return of("name") || [of("latitude"), of("longitude")].filter((text) => text !== "").join(", ") || nothingYet;
    case "contact":
      return [of("name"), of("phone")].filter((text) => text !== "").join(" · ") || nothingYet;
    case "document":
      return of("name") || fileName(of("url"));
    case "text":
    case "image":
    case "video":
    case "audio":
      return fileName(of("url"));
    default:
      return type satisfies never;
  }
}

function fileName(url: string): string {
  return url.split(/[?#]/)[0]?.split("/").at(-1) || nothingYet;
}

/** The font shrinks for long text, as it does on the picture. */
function sizeOf(text: string): string {
  if (text.length > 240) return "long";
  return text.length > 60 ? "middle" : "short";
}
