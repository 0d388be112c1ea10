import type { EndpointName, Output } from "../../../shared/contract/commands.js";
import type { SessionCredentials, SessionRecord } from "../../../shared/contract/session.js";
import type { WebhookBody, WebhookEventType } from "../../../shared/contract/telegram/webhook-body.js";
import type { GroupChangesForm } from "../../api/group/group-changes-form.js";
import type { LinkForm } from "../../api/group/link-form.js";
import type { MessagePathForm } from "../../api/message/message-reference.js";
import type { ProfileForm } from "../../api/account/profile-form.js";
import type { ChannelChangeForm, ChannelReferenceForm, NewChannelForm } from "../../api/channel/channel-forms.js";
import type { ChannelForm, ChannelPageQuery } from "../../endpoint/channel-query.js";
import type { NewSessionForm } from "../../api/notes.js";
import type { PageForm } from "../../endpoint/page-query.js";
import type { PhoneForm } from "../../endpoint/phone-query.js";
import type { ChatMessageForm } from "../../telegram/list-chat-messages.js";
import type { Person } from "../../telegram/recipient.js";
import type { DeletionQuery } from "../../telegram/delete-message.js";
import type { EditBody } from "../../telegram/edit-message.js";
import type { GroupForm } from "../../telegram/group-id.js";
import type { GroupOfForm, MembersForm, MembersQuery } from "../../telegram/group-members.js";
import type { NewGroupBody } from "../../telegram/new-group.js";
import type { ForwardBody } from "../../telegram/forward-message.js";
import type { StatusBody } from "../../telegram/post-status.js";
import type { AlbumBody } from "../../telegram/send-album.js";
import type { MessageBody } from "../../telegram/send-message.js";
import type { PollBody } from "../../telegram/send-poll.js";
import type { StickerBody } from "../../telegram/send-sticker.js";
import type { ReadMarkBody } from "../../telegram/read-message.js";
import type { ReactionBody } from "../../telegram/send-reaction.js";
import type { TypingBody } from "../../telegram/send-typing.js";
import type { VoiceBody } from "../../telegram/send-voice.js";
import type { WebhookForm } from "../../telegram/set-webhook.js";
import type { PasswordForm } from "../../telegram/submit-password.js";
import type { CallTexts } from "../call-text.js";

/** Response type of each call of variant B. */
export type Replies = { [Name in EndpointName<"telegram">]: Output<"telegram", Name> } & {
  "create-session": SessionCredentials;
  "get-session": SessionRecord;
};

/** Request body of each call. */
export interface Bodies {
  "update-profile": ProfileForm;
  "block-person": Person;
  "create-channel": NewChannelForm;
  "update-channel": ChannelChangeForm;
  "follow-channel": ChannelReferenceForm;
  "leave-channel": ChannelReferenceForm;
  "create-session": NewSessionForm;
  "submit-password": PasswordForm;
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
  "send-typing": TypingBody;
  "create-group": NewGroupBody;
  "edit-group": GroupChangesForm;
  "add-group-members": MembersForm;
  "add-group-admins": MembersForm;
  "join-group": LinkForm;
  "leave-group": GroupOfForm;
  "post-status": StatusBody;
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
  NewMessageEvent: Event<"message.new">;
  EditedMessageEvent: Event<"message.edited">;
  DeletedMessagesEvent: Event<"message.deleted">;
  ReadMessagesEvent: Event<"message.read">;
  ReactionEvent: Event<"message.reaction">;
  PollVoteEvent: Event<"poll.vote">;
  NewGroupMessageEvent: Event<"group.message.new">;
  EditedGroupMessageEvent: Event<"group.message.edited">;
  DeletedGroupMessagesEvent: Event<"group.message.deleted">;
  ChangedGroupEvent: Event<"group.changed">;
  NewChannelMessageEvent: Event<"channel.message.new">;
}

/** Types of events of the account, without test events and those of the session itself. */
export type AccountEventType = Exclude<WebhookEventType, "test">;

type Event<Type extends AccountEventType> = { [Name in keyof WebhookBody<Type>]: WebhookBody<Type>[Name] };

/** Texts of each call of variant B. */
export type Texts = CallTexts<Replies, Bodies, Parameters>;
