import { Api } from "telegram";

type Place = { readonly offset: number; readonly length: number };

/** Entities that the platform detects in a text, highest precedence first. Covers only a part of the real ones. */
const patterns: readonly (readonly [RegExp, (place: Place) => Api.TypeMessageEntity])[] = [
  [/(?<![\w.+-])[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}/giu, (place) => new Api.MessageEntityEmail(place)],
  [/https?:\/\/[^\s<>"]*[^\s<>".,;:!?'()[\]]/giu, (place) => new Api.MessageEntityUrl(place)],
  [
    /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]+\.)+(?:com|org|net|io|me|de|ru)(?:\/[^\s<>"]*[^\s<>".,;:!?'()[\]])?(?![\p{L}\p{N}])/giu,
    (place) => new Api.MessageEntityUrl(place),
  ],
  [/(?<![\p{L}\p{N}_@/.])@[a-z]\w{3,31}/giu, (place) => new Api.MessageEntityMention(place)],
  [/(?<![\p{L}\p{N}_#])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu, (place) => new Api.MessageEntityHashtag(place)],
  [/(?<![\w+])\+\d(?:[ ()-]?\d){6,14}(?!\d)/gu, (place) => new Api.MessageEntityPhone(place)],
];

/** Detection skips the text inside these entities. */
const closed = [
  Api.MessageEntityCode,
  Api.MessageEntityPre,
  Api.MessageEntityTextUrl,
  Api.MessageEntityMentionName,
  Api.MessageEntityUrl,
  Api.MessageEntityEmail,
  Api.MessageEntityMention,
  Api.MessageEntityHashtag,
  Api.MessageEntityPhone,
];

/** Returns the given and the detected entities by offset. */
export function foundEntities(text: string, given: readonly Api.TypeMessageEntity[]): Api.TypeMessageEntity[] {
  const taken: Place[] = given.filter((entity) => closed.some((type) => entity instanceof type));
  const found: Api.TypeMessageEntity[] = [];
  for (const [pattern, build] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const place = { offset: match.index, length: match[0].length };
      if (taken.some((other) => place.offset < other.offset + other.length && other.offset < place.offset + place.length)) continue;
      taken.push(place);
      found.push(build(place));
    }
  }
  return found.length === 0 ? [...given] : [...given, ...found].sort((a, b) => a.offset - b.offset);
}
