import { Api } from "telegram";
import bigInt from "big-integer";
import { BinaryReader } from "telegram/extensions/index.js";

/** Stores entities as base64 of their TL bytes. */
export function storeEntities(entities: readonly Api.TypeMessageEntity[] | null | undefined): string[] | undefined {
  return entities && entities.length > 0 ? entities.map((entity) => entity.getBytes().toString("base64")) : undefined;
}

export function tlEntities(stored: readonly string[] | undefined): Api.TypeMessageEntity[] | undefined {
  return stored?.map((bytes): Api.TypeMessageEntity => new BinaryReader(Buffer.from(bytes, "base64")).tgReadObject());
}

/** Returns whether each entity lies inside the text and splits no character. Offsets are in UTF-16 units. */
export function entitiesFit(text: string, entities: readonly Api.TypeMessageEntity[] | null | undefined): boolean {
  return (entities ?? []).every(
    ({ offset, length }) =>
      offset >= 0 && length > 0 && offset + length <= text.length && !splits(text, offset) && !splits(text, offset + length),
  );
}

/** Returns whether the offset lies between the two halves of a character. */
function splits(text: string, at: number): boolean {
  return at > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}

/** Telethon writes an `inputPeerUser` in place of an `inputUser`. */
function mentioned(user: unknown): { userId?: string } {
  return user instanceof Api.InputUser || user instanceof Api.InputPeerUser ? { userId: user.userId.toString() } : {};
}

/** Reverses `describeEntities`. Returns `undefined` for an unknown type. */
export function readEntity(fields: Readonly<Record<string, unknown>>): Api.TypeMessageEntity | undefined {
  const { type, offset, length, url, language, userId, documentId, collapsed } = fields;
  const name = `MessageEntity${String(type).charAt(0).toUpperCase()}${String(type).slice(1)}`;
  const build: unknown = Object.entries(Api).find(([each]) => each === name)?.[1];
  if (typeof build !== "function") return undefined;
  const args = {
    offset,
    length,
    url,
    language,
    userId: idFrom(userId),
    documentId: idFrom(documentId),
    collapsed,
  };
  return Reflect.construct(build, [args]) as Api.TypeMessageEntity;
}

const idFrom = (value: unknown): bigInt.BigInteger => bigInt(typeof value === "string" || typeof value === "number" ? String(value) : "0");

/** Returns entities for the control API: `{type: "bold", offset, length, url?, language?, userId?, documentId?, collapsed?}`. */
export function describeEntities(entities: readonly Api.TypeMessageEntity[] | null | undefined): Record<string, unknown>[] {
  return (entities ?? []).map((entity) => {
    const type = entity.className.replace(/^(Input)?MessageEntity/, "");
    return {
      type: type.charAt(0).toLowerCase() + type.slice(1),
      offset: entity.offset,
      length: entity.length,
      ...(entity instanceof Api.MessageEntityTextUrl && { url: entity.url }),
      ...(entity instanceof Api.MessageEntityPre && { language: entity.language }),
      ...(entity instanceof Api.InputMessageEntityMentionName && mentioned(entity.userId)),
      ...(entity instanceof Api.MessageEntityMentionName && { userId: entity.userId.toString() }),
      ...(entity instanceof Api.MessageEntityCustomEmoji && { documentId: entity.documentId.toString() }),
      ...(entity instanceof Api.MessageEntityBlockquote && entity.collapsed === true && { collapsed: true }),
    };
  });
}
