import * as sentences from "../../../shared/contract/rules.js";

const field = "<field>";

/** Messages about a field of a body or query (400), one for each function of `rules.ts`. Several messages are joined by a newline. */
export const fieldSentences: { readonly [Name in Exclude<keyof typeof sentences, "sentences" | "isEmpty">]: string } = {
  shouldNotBeEmpty: sentences.shouldNotBeEmpty(field),
  mustBeString: sentences.mustBeString(field),
  mustBeObject: sentences.mustBeObject(field),
  mustBeArray: sentences.mustBeArray(field),
  mustBeBoolean: sentences.mustBeBoolean(field),
  mustBePositive: sentences.mustBePositive(field),
  mustBeOneOf: sentences.mustBeOneOf(field, ["…"]),
  mustBeInteger: sentences.mustBeInteger(field, 1, 100),
  mustBeDegrees: sentences.mustBeDegrees(field, 90),
  mustBeDegreesNotText: sentences.mustBeDegreesNotText(field, 90),
  mustBeAtMostBytes: sentences.mustBeAtMostBytes(field, 2_048),
  mustBeAtMostBytesOfJson: sentences.mustBeAtMostBytesOfJson(field, 1_024),
  mustBeAtMostCharacters: sentences.mustBeAtMostCharacters(field, 64),
  mustBeOneLine: sentences.mustBeOneLine(field),
  mustBeProxy: sentences.mustBeProxy(field),
  shouldNotExist: sentences.shouldNotExist(field),
  unknownField: sentences.unknownField(field),
  mustBeTenantName: sentences.mustBeTenantName(field),
  mustBeEmptyForAdmin: sentences.mustBeEmptyForAdmin(field),
  mustBeEmptyForRead: sentences.mustBeEmptyForRead(field),
  mustBeFuture: sentences.mustBeFuture(field),
  mustBeDatabaseIds: sentences.mustBeDatabaseIds(field, 1_000),
};
