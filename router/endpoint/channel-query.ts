import typia, { type tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { mustBeInteger, sentences, type Bytes, type Parameter, type Wording } from "../../shared/contract/rules.js";
import type { HttpInput } from "./endpoint.js";
import { integer } from "./integer-parameter.js";
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

/** Page of a channel's messages, newest first: `limit` messages older than `before`. */
export interface ChannelPageForm extends ChannelForm {
  limit: number;
  before: number;
}

/** Parses `channelId` of GET /channel/{channelId}. The platform decides whether the id exists. */
export function parseChannelPath({ params }: HttpInput, wording: Wording): ChannelForm {
  const { channelId } = orThrow(validate(params), wording);
  return { channelId };
}

/** Parses GET /channel/message: `limit` is 1 to 100 (default 50), `before` a message id (default 0: from the newest). */
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
/** Both platforms number the messages of a channel with positive 32-bit integers. */
export const messageIdMax = 2_147_483_647;
