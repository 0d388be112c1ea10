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

/** What each call of variant A answers. */
export type Replies = { [Name in EndpointName<"whatsapp">]: Output<"whatsapp", Name> } & {
  "create-session": SessionCredentials;
  "get-session": SessionRecord;
  "get-passkey": PasskeyStatus;
};

/** What each is sent. */
export interface Bodies {
  "create-session": NewSessionForm;
  "submit-passkey": PasskeyForm;
  "send-message": MessageBody;
  "post-status": StatusBody;
  "send-typing": TypingBody;
}

/** What stands in the path and the query of each. */
export interface Parameters {
  "list-group-members": GroupForm;
  "get-group": GroupForm;
  "list-channel-messages": ChannelPageQuery;
  "get-channel": ChannelForm;
}

/** What is written of each. */
export type Texts = CallTexts<Replies, Bodies, Parameters>;
