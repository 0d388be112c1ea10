import type { EndpointName, Output } from "../../../shared/contract/commands.js";
import type { SessionCredentials } from "../../../shared/contract/session.js";
import type { PasskeyStatus } from "../../../shared/contract/passkey.js";
import type { ChannelForm, ChannelPageQuery } from "../../endpoint/channel-query.js";
import type { NewSessionForm } from "../../whatsapp/create-session.js";
import type { GroupForm } from "../../whatsapp/group-id.js";
import type { StatusBody } from "../../whatsapp/post-status.js";
import type { MessageBody } from "../../whatsapp/send-message.js";
import type { TypingBody } from "../../whatsapp/send-typing.js";
import type { SessionRecord } from "../../whatsapp/session-record.js";
import type { PasskeyForm } from "../../whatsapp/submit-passkey.js";
import type { CallTexts } from "../call-text.js";

/** Response type of each call of variant A. */
export type Replies = { [Name in EndpointName<"whatsapp">]: Output<"whatsapp", Name> } & {
  "create-session": SessionCredentials;
  "get-session": SessionRecord;
  "get-passkey": PasskeyStatus;
};

/** Request body of each call. */
export interface Bodies {
  "create-session": NewSessionForm;
  "submit-passkey": PasskeyForm;
  "send-message": MessageBody;
  "post-status": StatusBody;
  "send-typing": TypingBody;
}

/** Path and query parameters of each call. */
export interface Parameters {
  "list-group-members": GroupForm;
  "get-group": GroupForm;
  "list-channel-messages": ChannelPageQuery;
  "get-channel": ChannelForm;
}

/** Texts of each call of variant A. */
export type Texts = CallTexts<Replies, Bodies, Parameters>;
