import typia, { type tags } from "typia";
import { isBlank } from "../../shared/contract/blank.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { mustBeInteger, sentences, type Bytes, type Parameter, type Wording } from "../../shared/contract/rules.js";
import type { HttpInput } from "./endpoint.js";
import { orThrow } from "./validation.js";

export interface ChannelForm {
  /** Channel id, at most 256 bytes. On Telegram also the username of a public channel. */
  channelId: string & Parameter & Bytes<256>;
}

/** What may be said of a page of a channel's messages. */
export interface ChannelPageQuery extends ChannelForm {
  /** Messages per page, 1 to 100. */
  limit?: number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 1; maximum: 100; default: 50 }>;
  /** Returns messages older than this id. Absent or 0: starts with the newest message. */
  before?: number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 0; maximum: 2147483647; default: 0 }>;
}

/** Newest first: `limit` messages before the one of id `before`. */
export interface ChannelPageForm extends ChannelForm {
  limit: number;
  before: number;
}

/** `channelId` of GET /channel/{channelId}. Which ids there are is the platform's to say. */
export function parseChannelPath({ params }: HttpInput, wording: Wording): ChannelForm {
  const { channelId } = orThrow(validate(params), wording);
  return { channelId };
}

/** GET /channel/message: `limit` 1 to 100 (50 when absent), `before` a message id (0 when absent: from the newest). */
export function parseChannelPage({ query }: HttpInput, wording: Wording): ChannelPageForm {
  const form = validate(query);
  const limit = integer(query["limit"], 50, 1, 100);
  const before = integer(query["before"], 0, 0, messageIdMax);
  if (form.success && limit !== undefined && before !== undefined) return { channelId: form.data.channelId, limit, before };
  throw new ApiError(
    400,
    [
      ...(form.success ? [] : sentences(form.errors, wording)),
      ...(limit === undefined ? [mustBeInteger("limit", 1, 100)] : []),
      ...(before === undefined ? [mustBeInteger("before", 0, messageIdMax)] : []),
    ].join("\n"),
  );
}

const validate = typia.createValidate<ChannelForm>();
/** Both platforms number the messages of a channel with positive 32-bit numbers. */
const messageIdMax = 2_147_483_647;

/** A query parameter is text: decimal digits in range, the default when absent or blank, `undefined` otherwise. */
function integer(value: string | readonly string[] | undefined, absent: number, from: number, to: number): number | undefined {
  if (value === undefined || (typeof value === "string" && isBlank(value))) return absent;
  if (typeof value !== "string" || !/^[0-9]{1,10}$/.test(value)) return undefined;
  const parsed = Number(value);
  return parsed >= from && parsed <= to ? parsed : undefined;
}
