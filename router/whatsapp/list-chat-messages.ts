import typia from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import type { Bytes, Parameter } from "../../shared/contract/rules.js";
import { sentences } from "../../shared/contract/rules.js";
import { isGroupId, isNewsletterId, isUserId } from "../../shared/contract/whatsapp/address.js";
import { invalidChatId } from "../../shared/contract/whatsapp/errors.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { integer } from "../endpoint/integer-parameter.js";
import { limitFault, pageDefault, pageMost, type PageLimit } from "../endpoint/page-query.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { wording } from "./wording.js";

/** Parameters of GET /chat/message. */
export interface ChatMessageForm extends ChatForm {
  /** Messages per page, 1 to 100. */
  limit?: PageLimit;
}

interface ChatForm {
  /** Id of a person, group or channel, such as `chat.id` of an event. */
  chat: string & Parameter & Bytes<256>;
  /** Returns messages older than the one with this id. Absent or empty: starts with the newest message. */
  before?: string & Bytes<256>;
}

/** Parses GET /chat/message. Rejects unknown parameters. */
export function parseChatMessages({ query }: HttpInput): Input<"whatsapp", "list-chat-messages"> {
  rejectUnknownFields(query, ["chat", "limit", "before"]);
  const form = validate(withoutBlanks(query));
  const limit = integer(query["limit"], pageDefault, 1, pageMost);
  if (!form.success || limit === undefined) {
    const faults = [...(form.success ? [] : sentences(form.errors, wording)), ...(limit === undefined ? [limitFault] : [])];
    throw new ApiError(400, faults.join("\n"));
  }
  const { chat, before = "" } = form.data;
  if (!isUserId(chat) && !isGroupId(chat) && !isNewsletterId(chat)) throw invalidChatId();
  return { chat, limit, before };
}

const validate = typia.createValidate<ChatForm>();
