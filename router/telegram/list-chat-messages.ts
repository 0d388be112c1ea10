import typia, { type tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import { mustBeInteger, sentences, type Bytes, type Parameter } from "../../shared/contract/rules.js";
import { parseChatReference } from "../../shared/contract/telegram/chat-reference.js";
import { messageIdMax } from "../endpoint/channel-query.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { integer } from "../endpoint/integer-parameter.js";
import { limitFault, pageDefault, pageMost, type PageLimit } from "../endpoint/page-query.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { wording } from "./wording.js";

/** Parameters of GET /chat/message. */
export interface ChatMessageForm extends ChatForm {
  /** Messages per page, 1 to 100. */
  limit?: PageLimit;
  /** Returns messages older than the one with this id. Absent, empty or 0: starts with the newest message. */
  before?: number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 0; maximum: 2147483647; default: 0 }>;
}

interface ChatForm {
  /** Id of a person, group or channel, such as `chat.id` of an event, a username, or a short link such as `t.me/name`. */
  chat: string & Parameter & Bytes<256>;
}

/** Parses GET /chat/message. Rejects unknown parameters. */
export function parseChatMessages({ query }: HttpInput): Input<"telegram", "list-chat-messages"> {
  rejectUnknownFields(query, ["chat", "limit", "before"]);
  const form = validate(withoutBlanks(query));
  const limit = integer(query["limit"], pageDefault, 1, pageMost);
  const before = integer(query["before"], 0, 0, messageIdMax);
  if (form.success && limit !== undefined && before !== undefined) return { chat: parseChatReference(form.data.chat), limit, before };
  throw new ApiError(
    400,
    [
      ...(form.success ? [] : sentences(form.errors, wording)),
      ...(limit === undefined ? [limitFault] : []),
      ...(before === undefined ? [mustBeInteger("before", 0, messageIdMax)] : []),
    ].join("\n"),
  );
}

const validate = typia.createValidate<ChatForm>();
