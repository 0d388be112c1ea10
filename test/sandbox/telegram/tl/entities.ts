import { Api } from "telegram";
import { BinaryReader } from "telegram/extensions/index.js";

/** Entities as they are stored: TL bytes, base64. */
export function storeEntities(entities: readonly Api.TypeMessageEntity[] | null | undefined): string[] | undefined {
  return entities && entities.length > 0 ? entities.map((entity) => entity.getBytes().toString("base64")) : undefined;
}

export function tlEntities(stored: readonly string[] | undefined): Api.TypeMessageEntity[] | undefined {
  return stored?.map((bytes): Api.TypeMessageEntity => new BinaryReader(Buffer.from(bytes, "base64")).tgReadObject());
}

/** For the control API: `{type: "bold", offset, length, url?, language?}`. */
export function describeEntities(entities: readonly Api.TypeMessageEntity[] | null | undefined): Record<string, unknown>[] {
  return (entities ?? []).map((entity) => {
    const type = entity.className.replace(/^(Input)?MessageEntity/, "");
    return {
      type: type.charAt(0).toLowerCase() + type.slice(1),
      offset: entity.offset,
      length: entity.length,
      ...(entity instanceof Api.MessageEntityTextUrl && { url: entity.url }),
      ...(entity instanceof Api.MessageEntityPre && { language: entity.language }),
    };
  });
}
