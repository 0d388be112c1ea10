import type { Api } from "telegram";

/** A message as the platform takes it. */
export type SendRequest = Api.messages.SendMessage | Api.messages.SendMedia;
