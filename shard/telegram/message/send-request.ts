import type { Api } from "telegram";

/** A request that sends a message to the platform. */
export type SendRequest = Api.messages.SendMessage | Api.messages.SendMedia | Api.messages.ForwardMessages | Api.messages.SendMultiMedia;
