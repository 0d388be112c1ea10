import type { EndpointName, Output } from "../../../shared/contract/commands.js";
import type { SessionEventData } from "../../../shared/contract/session-events.js";
import type { SessionCredentials } from "../../../shared/contract/session.js";
import type { WhatsAppEventData, WhatsAppWebhookBody } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { PasskeyStatus } from "../../../shared/contract/passkey.js";
import type { GroupChangesForm } from "../../api/group/group-changes-form.js";
import type { LinkForm } from "../../api/group/link-form.js";
import type { MessagePathForm } from "../../api/message/message-reference.js";
import type { ProfileForm } from "../../api/account/profile-form.js";
import type { ChannelChangeForm, ChannelReferenceForm, NewChannelForm } from "../../api/channel/channel-forms.js";
import type { ChannelForm, ChannelPageQuery } from "../../endpoint/channel-query.js";
import type { NewWhatsAppSessionForm } from "../../whatsapp/create-session.js";
import type { PageForm } from "../../endpoint/page-query.js";
import type { PhoneForm } from "../../endpoint/phone-query.js";
import type { ChatMessageForm } from "../../whatsapp/list-chat-messages.js";
import type { Person } from "../../whatsapp/recipient.js";
import type { DeletionQuery } from "../../whatsapp/delete-message.js";
import type { EditBody } from "../../whatsapp/edit-message.js";
import type { GroupForm } from "../../whatsapp/group-id.js";
import type { GroupOfForm, MembersForm, MembersQuery } from "../../whatsapp/group-members.js";
import type { NewGroupBody } from "../../whatsapp/new-group.js";
import type { ForwardBody } from "../../whatsapp/forward-message.js";
import type { StatusBody } from "../../whatsapp/post-status.js";
import type { AlbumBody } from "../../whatsapp/send-album.js";
import type { MessageBody } from "../../whatsapp/send-message.js";
import type { PollBody } from "../../whatsapp/send-poll.js";
import type { StickerBody } from "../../whatsapp/send-sticker.js";
import type { ReadMarkBody } from "../../whatsapp/read-message.js";
import type { ReactionBody } from "../../whatsapp/send-reaction.js";
import type { TypingBody } from "../../whatsapp/send-typing.js";
import type { VoiceBody } from "../../whatsapp/send-voice.js";
import type { WebhookForm } from "../../whatsapp/set-webhook.js";
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
  "update-profile": ProfileForm;
  "block-person": Person;
  "create-channel": NewChannelForm;
  "update-channel": ChannelChangeForm;
  "follow-channel": ChannelReferenceForm;
  "leave-channel": ChannelReferenceForm;
  "create-session": NewWhatsAppSessionForm;
  "submit-passkey": PasskeyForm;
  "set-webhook": WebhookForm;
  "send-message": MessageBody;
  "forward-message": ForwardBody;
  "send-voice": VoiceBody;
  "send-sticker": StickerBody;
  "send-poll": PollBody;
  "send-album": AlbumBody;
  "send-reaction": ReactionBody;
  "read-message": ReadMarkBody;
  "edit-message": EditBody;
  "create-group": NewGroupBody;
  "edit-group": GroupChangesForm;
  "add-group-members": MembersForm;
  "add-group-admins": MembersForm;
  "join-group": LinkForm;
  "leave-group": GroupOfForm;
  "post-status": StatusBody;
  "send-typing": TypingBody;
}

/** Path and query parameters of each call. */
export interface Parameters {
  "edit-message": MessagePathForm;
  "delete-message": DeletionQuery;
  "edit-group": GroupForm;
  "remove-group-members": MembersQuery;
  "remove-group-admins": MembersQuery;
  "get-group-invite": GroupOfForm;
  "revoke-group-invite": GroupOfForm;
  "list-group-members": GroupForm;
  "get-group": GroupForm;
  "list-channel-messages": ChannelPageQuery;
  "get-channel": ChannelForm;
  "list-chats": PageForm;
  "list-chat-messages": ChatMessageForm;
  "list-contacts": PageForm;
  "look-up-phones": PhoneForm;
  "update-channel": ChannelForm;
  "unblock-person": Person;
}

/** Webhook body of each event. */
export interface Events {
  WhatsAppNewMessageEvent: Event<"message.new">;
  WhatsAppEditedMessageEvent: Event<"message.edited">;
  WhatsAppDeletedMessagesEvent: Event<"message.deleted">;
  WhatsAppReadMessagesEvent: Event<"message.read">;
  WhatsAppDeliveredMessagesEvent: Event<"message.delivered">;
  WhatsAppReactionEvent: Event<"message.reaction">;
  WhatsAppFailedMessageEvent: Event<"message.failed">;
  WhatsAppPollVoteEvent: Event<"poll.vote">;
  WhatsAppNewGroupMessageEvent: Event<"group.message.new">;
  WhatsAppEditedGroupMessageEvent: Event<"group.message.edited">;
  WhatsAppDeletedGroupMessagesEvent: Event<"group.message.deleted">;
  WhatsAppChangedGroupEvent: Event<"group.changed">;
  WhatsAppNewChannelMessageEvent: Event<"channel.message.new">;
  WhatsAppCallEvent: Event<"call.offered">;
}

/** Types of the events of WhatsApp alone, without those of the session itself. */
export type PlatformEventType = Exclude<keyof WhatsAppEventData, keyof SessionEventData>;

type Event<Type extends PlatformEventType> = { [Name in keyof WhatsAppWebhookBody<Type>]: WhatsAppWebhookBody<Type>[Name] };

/** Texts of each call of variant A. */
export type Texts = CallTexts<Replies, Bodies, Parameters>;
