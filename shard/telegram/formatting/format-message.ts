import { Api } from "telegram";
import bigInt from "big-integer";
import type { ParseMode } from "../../../shared/contract/telegram/message.js";
import type { Peer } from "../peers.js";
import type { Span } from "./formatted-text.js";
import { parseHtml } from "./parse-html.js";
import { parseMarkdown } from "./parse-markdown.js";

/** A text and its entities, as fields of a request. */
export interface MessageText {
  readonly message: string;
  readonly entities?: Api.TypeMessageEntity[];
}

/**
 * Parses a text by its mode, or leaves it as it is without a mode. `find` returns the people that `tg://user?id=` links mention; unknown
 * people stay plain text.
 */
export async function formatMessage(
  source: string,
  mode: ParseMode | undefined,
  find: (userId: string) => Promise<Peer | undefined>,
): Promise<MessageText> {
  // Parsing a longer text would block other sessions. The platform refuses a text of this length anyway, with its own error.
  if (mode === undefined || source.length > sourceMax) return { message: source };
  const { text, spans } = mode === "markdown" ? parseMarkdown(source) : parseHtml(source);
  // The platform would cut off more entities without an error, and each may cost a lookup.
  const entities = await Promise.all(spans.slice(0, entitiesMax).map((span) => toEntity(span, find)));
  const found = entities.filter((entity) => entity !== undefined);
  return found.length === 0 ? { message: text } : { message: text, entities: found };
}

/** UTF-16 units, marks and addresses included: four times the platform's longest message. */
const sourceMax = 16_384;
/** The largest number of entities in one message. */
const entitiesMax = 100;

async function toEntity(
  { style, offset, length }: Span,
  find: (userId: string) => Promise<Peer | undefined>,
): Promise<Api.TypeMessageEntity | undefined> {
  const place = { offset, length };
  switch (style.kind) {
    case "bold":
      return new Api.MessageEntityBold(place);
    case "italic":
      return new Api.MessageEntityItalic(place);
    case "underline":
      return new Api.MessageEntityUnderline(place);
    case "strike":
      return new Api.MessageEntityStrike(place);
    case "spoiler":
      return new Api.MessageEntitySpoiler(place);
    case "code":
      return new Api.MessageEntityCode(place);
    case "pre":
      return new Api.MessageEntityPre({ ...place, language: style.language });
    case "quote":
      return new Api.MessageEntityBlockquote({ ...place, ...(style.collapsed && { collapsed: true }) });
    case "link":
      return linkTo(style.url, place, find);
    default:
      return style satisfies never;
  }
}

async function linkTo(
  url: string,
  place: { offset: number; length: number },
  find: (userId: string) => Promise<Peer | undefined>,
): Promise<Api.TypeMessageEntity | undefined> {
  const emoji = /^tg:\/\/emoji\?id=([1-9]\d{0,18})$/.exec(url)?.[1];
  if (emoji !== undefined) return new Api.MessageEntityCustomEmoji({ ...place, documentId: bigInt(emoji) });
  const userId = /^tg:\/\/user\?id=([1-9]\d{0,15})$/.exec(url)?.[1];
  if (userId === undefined) return new Api.MessageEntityTextUrl({ ...place, url });
  const peer = await find(userId);
  return (
    peer &&
    new Api.InputMessageEntityMentionName({
      ...place,
      userId: new Api.InputUser({ userId: bigInt(peer.id), accessHash: bigInt(peer.accessHash) }),
    })
  );
}
