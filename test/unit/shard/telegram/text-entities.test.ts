import { Api } from "telegram";
import bigInt from "big-integer";
import { expect, test } from "vitest";
import { textEntityTypes } from "../../../../shared/contract/telegram/text-entity.js";
import { textEntities } from "../../../../shard/telegram/chats/text-entities.js";
import { aMessage } from "./updates/packets.js";

const at = { offset: 1, length: 2 };
const cases: readonly (readonly [Api.TypeMessageEntity, object])[] = [
  [new Api.MessageEntityMention(at), { type: "mention" }],
  [new Api.MessageEntityHashtag(at), { type: "hashtag" }],
  [new Api.MessageEntityCashtag(at), { type: "cashtag" }],
  [new Api.MessageEntityBotCommand(at), { type: "bot_command" }],
  [new Api.MessageEntityUrl(at), { type: "url" }],
  [new Api.MessageEntityEmail(at), { type: "email" }],
  [new Api.MessageEntityPhone(at), { type: "phone_number" }],
  [new Api.MessageEntityBold(at), { type: "bold" }],
  [new Api.MessageEntityItalic(at), { type: "italic" }],
  [new Api.MessageEntityUnderline(at), { type: "underline" }],
  [new Api.MessageEntityStrike(at), { type: "strikethrough" }],
  [new Api.MessageEntitySpoiler(at), { type: "spoiler" }],
  [new Api.MessageEntityBlockquote(at), { type: "blockquote" }],
  [new Api.MessageEntityBlockquote({ ...at, collapsed: true }), { type: "expandable_blockquote" }],
  [new Api.MessageEntityCode(at), { type: "code" }],
  [new Api.MessageEntityPre({ ...at, language: "" }), { type: "pre" }],
  [new Api.MessageEntityPre({ ...at, language: "ts" }), { type: "pre", language: "ts" }],
  [new Api.MessageEntityTextUrl({ ...at, url: "https://example.org/" }), { type: "text_link", url: "https://example.org/" }],
  [new Api.MessageEntityMentionName({ ...at, userId: bigInt("5100000001") }), { type: "text_mention", user: "5100000001" }],
  [
    new Api.MessageEntityCustomEmoji({ ...at, documentId: bigInt("5368324170671202286") }),
    { type: "custom_emoji", emoji: "5368324170671202286" },
  ],
];

test("each type of the platform has its name, its place and what belongs to it", () => {
  const read = textEntities(aMessage({ entities: cases.map(([entity]) => entity) }));
  expect(read).toEqual(cases.map(([, expected]) => ({ ...expected, ...at })));
  expect(new Set(read.map(({ type }) => type))).toEqual(new Set(textEntityTypes));
});

test("a text without entities has none, and unknown ones are left out", () => {
  expect(textEntities(Object.assign(aMessage(), { entities: null }))).toEqual([]);
  expect(textEntities(aMessage({ entities: [new Api.MessageEntityUnknown(at), new Api.MessageEntityBankCard(at)] }))).toEqual([]);
});
