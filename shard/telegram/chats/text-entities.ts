import { Api } from "telegram";
import type { TextEntity } from "../../../shared/contract/telegram/text-entity.js";

/** Returns the entities of a message's text, without types that only later versions of the platform know. */
export function textEntities({ entities }: Api.Message): TextEntity[] {
  return (entities ?? []).flatMap((entity) => {
    const described = describe(entity);
    return described === undefined ? [] : [{ ...described, offset: entity.offset, length: entity.length }];
  });
}

function describe(entity: Api.TypeMessageEntity): Omit<TextEntity, "offset" | "length"> | undefined {
  if (entity instanceof Api.MessageEntityTextUrl) return { type: "text_link", url: entity.url };
  if (entity instanceof Api.MessageEntityMentionName) return { type: "text_mention", user: entity.userId.toString() };
  if (entity instanceof Api.MessageEntityPre) return { type: "pre", ...(entity.language && { language: entity.language }) };
  if (entity instanceof Api.MessageEntityCustomEmoji) return { type: "custom_emoji", emoji: entity.documentId.toString() };
  if (entity instanceof Api.MessageEntityBlockquote) return { type: entity.collapsed === true ? "expandable_blockquote" : "blockquote" };
  const type = plainTypes.find(([of]) => entity instanceof of)?.[1];
  return type && { type };
}

const plainTypes = [
  [Api.MessageEntityMention, "mention"],
  [Api.MessageEntityHashtag, "hashtag"],
  [Api.MessageEntityCashtag, "cashtag"],
  [Api.MessageEntityBotCommand, "bot_command"],
  [Api.MessageEntityUrl, "url"],
  [Api.MessageEntityEmail, "email"],
  [Api.MessageEntityPhone, "phone_number"],
  [Api.MessageEntityBold, "bold"],
  [Api.MessageEntityItalic, "italic"],
  [Api.MessageEntityUnderline, "underline"],
  [Api.MessageEntityStrike, "strikethrough"],
  [Api.MessageEntitySpoiler, "spoiler"],
  [Api.MessageEntityCode, "code"],
] as const;
