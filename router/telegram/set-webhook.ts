import type { Input } from "../../shared/contract/commands.js";
import { telegramEventTypes, type TelegramEventType } from "../../shared/contract/webhook-events.js";
import { parseWebhookForm, type ReceiverForm } from "../api/webhook/webhook-form.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { wording } from "./wording.js";

/** Parses PUT /session/webhook. */
export function parseWebhook({ body }: HttpInput): Input<"telegram", "set-webhook"> {
  return parseWebhookForm(body, telegramEventTypes, wording);
}

/** Settings of the webhook. Fill in `url` and `token`, or leave both empty to turn the webhook off. */
export interface WebhookForm extends ReceiverForm {
  /**
   * Types of the events that the receiver gets. A list replaces the default, which is `message.new`, `message.edited`, `message.deleted`
   * and `message.read` of private chats. The gateway ignores duplicates.
   */
  events?: TelegramEventType[];
}
