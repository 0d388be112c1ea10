import typia from "typia";
import type { CommandName, Input } from "../../../shared/contract/commands.js";
import type { Commands } from "../../session/command.js";
import { createSession } from "../../session/commands/create-session.js";
import { deleteSession } from "../../session/commands/delete-session.js";
import { getLimits } from "../../session/commands/get-limits.js";
import { listDeadLetters } from "../../session/commands/list-dead-letters.js";
import { replayDeadLetters } from "../../session/commands/replay-dead-letters.js";
import { retryWebhook } from "../../session/commands/retry-webhook.js";
import { sendTestEvent } from "../../session/commands/send-test-event.js";
import { resetSession } from "../../session/commands/reset-session.js";
import { restartSession } from "../../session/commands/restart-session.js";
import { setProxy } from "../../session/commands/set-proxy.js";
import { setWebhook } from "../../session/commands/set-webhook.js";
import { submitPassword } from "../../session/commands/submit-password.js";
import { undeleteSession } from "../../session/commands/undelete-session.js";
import { rowsOf } from "../../session/platform-adapter.js";
import type { Session } from "../../session/session.js";
import type { TelegramConnector } from "../connector.js";
import { toApiError } from "../errors.js";
import { deleteMessage } from "./delete-message.js";
import { describeMedia } from "./describe-media.js";
import { forwardMessage } from "./forward-message.js";
import { editMessage } from "./edit-message.js";
import { addGroupAdmins, addGroupMembers, removeGroupAdmins, removeGroupMembers } from "./change-members.js";
import { createGroup } from "./create-group.js";
import { editGroup } from "./edit-group.js";
import { getChannel } from "./get-channel.js";
import { getGroup } from "./get-group.js";
import { getGroupInvite, revokeGroupInvite } from "./group-invite.js";
import { joinGroup } from "./join-group.js";
import { leaveGroup } from "./leave-group.js";
import { listChannelMessages } from "./list-channel-messages.js";
import { listChannels } from "./list-channels.js";
import { listChats } from "./list-chats.js";
import { listChatMessages } from "./list-chat-messages.js";
import { listContacts } from "./list-contacts.js";
import { listGroupMembers } from "./list-group-members.js";
import { listGroups } from "./list-groups.js";
import { lookUpPhones } from "./look-up-phones.js";
import { postStatus } from "./post-status.js";
import { readChunk } from "./read-chunk.js";
import { sendAlbum } from "./send-album.js";
import { sendMessage } from "./send-message.js";
import { sendPoll } from "./send-poll.js";
import { sendSticker } from "./send-sticker.js";
import { readMessage } from "./read-message.js";
import { sendReaction } from "./send-reaction.js";
import { sendTyping } from "./send-typing.js";
import { sendVoice } from "./send-voice.js";
import { blockPerson, unblockPerson } from "./block-person.js";
import { createChannel } from "./create-channel.js";
import { followChannel, leaveChannel } from "./follow-channel.js";
import { updateChannel } from "./update-channel.js";
import { updateProfile } from "./update-profile.js";

type In<C extends CommandName<"telegram">> = Input<"telegram", C>;

/** Maps errors of the platform to the documented errors. */
const { onSession, onWire } = rowsOf<"telegram", TelegramConnector>((error, connector) => {
  connector.noticed(error);
  return toApiError(error);
});

/** The handlers of every command of variant B. */
export const telegramCommands: Commands<"telegram", Session<TelegramConnector>> = {
  "create-session": onSession(typia.createIs<In<"create-session">>(), createSession),
  "undelete-session": onSession(typia.createIs<In<"undelete-session">>(), undeleteSession),
  "restart-session": onSession(typia.createIs<In<"restart-session">>(), restartSession),
  "set-proxy": onSession(typia.createIs<In<"set-proxy">>(), setProxy),
  "submit-password": onSession(typia.createIs<In<"submit-password">>(), submitPassword),
  "set-webhook": onSession(typia.createIs<In<"set-webhook">>(), setWebhook),
  "reset-session": onSession(typia.createIs<In<"reset-session">>(), resetSession),
  "get-limits": onSession(typia.createIs<In<"get-limits">>(), getLimits),
  "delete-session": onSession(typia.createIs<In<"delete-session">>(), deleteSession),
  "list-dead-letters": onSession(typia.createIs<In<"list-dead-letters">>(), listDeadLetters),
  "replay-dead-letters": onSession(typia.createIs<In<"replay-dead-letters">>(), replayDeadLetters),
  "retry-webhook": onSession(typia.createIs<In<"retry-webhook">>(), retryWebhook),
  "send-test-event": onSession(typia.createIs<In<"send-test-event">>(), sendTestEvent),
  "send-message": onWire(typia.createIs<In<"send-message">>(), sendMessage),
  "forward-message": onWire(typia.createIs<In<"forward-message">>(), forwardMessage),
  "send-voice": onWire(typia.createIs<In<"send-voice">>(), sendVoice),
  "send-sticker": onWire(typia.createIs<In<"send-sticker">>(), sendSticker),
  "send-album": onWire(typia.createIs<In<"send-album">>(), sendAlbum),
  "send-poll": onWire(typia.createIs<In<"send-poll">>(), sendPoll),
  "edit-message": onWire(typia.createIs<In<"edit-message">>(), editMessage),
  "read-message": onWire(typia.createIs<In<"read-message">>(), readMessage),
  "delete-message": onWire(typia.createIs<In<"delete-message">>(), deleteMessage),
  "send-reaction": onWire(typia.createIs<In<"send-reaction">>(), sendReaction),
  "send-typing": onWire(typia.createIs<In<"send-typing">>(), sendTyping),
  "post-status": onWire(typia.createIs<In<"post-status">>(), postStatus),
  "list-groups": onWire(typia.createIs<In<"list-groups">>(), listGroups),
  "get-group": onWire(typia.createIs<In<"get-group">>(), getGroup),
  "list-group-members": onWire(typia.createIs<In<"list-group-members">>(), listGroupMembers),
  "create-group": onWire(typia.createIs<In<"create-group">>(), createGroup),
  "edit-group": onWire(typia.createIs<In<"edit-group">>(), editGroup),
  "add-group-members": onWire(typia.createIs<In<"add-group-members">>(), addGroupMembers),
  "remove-group-members": onWire(typia.createIs<In<"remove-group-members">>(), removeGroupMembers),
  "add-group-admins": onWire(typia.createIs<In<"add-group-admins">>(), addGroupAdmins),
  "remove-group-admins": onWire(typia.createIs<In<"remove-group-admins">>(), removeGroupAdmins),
  "get-group-invite": onWire(typia.createIs<In<"get-group-invite">>(), getGroupInvite),
  "revoke-group-invite": onWire(typia.createIs<In<"revoke-group-invite">>(), revokeGroupInvite),
  "join-group": onWire(typia.createIs<In<"join-group">>(), joinGroup),
  "leave-group": onWire(typia.createIs<In<"leave-group">>(), leaveGroup),
  "list-channels": onWire(typia.createIs<In<"list-channels">>(), listChannels),
  "get-channel": onWire(typia.createIs<In<"get-channel">>(), getChannel),
  "list-chats": onWire(typia.createIs<In<"list-chats">>(), listChats),
  "list-chat-messages": onWire(typia.createIs<In<"list-chat-messages">>(), listChatMessages),
  "list-contacts": onWire(typia.createIs<In<"list-contacts">>(), listContacts),
  "look-up-phones": onWire(typia.createIs<In<"look-up-phones">>(), lookUpPhones),
  "list-channel-messages": onWire(typia.createIs<In<"list-channel-messages">>(), listChannelMessages),
  "create-channel": onWire(typia.createIs<In<"create-channel">>(), createChannel),
  "update-channel": onWire(typia.createIs<In<"update-channel">>(), updateChannel),
  "follow-channel": onWire(typia.createIs<In<"follow-channel">>(), followChannel),
  "leave-channel": onWire(typia.createIs<In<"leave-channel">>(), leaveChannel),
  "update-profile": onWire(typia.createIs<In<"update-profile">>(), updateProfile),
  "block-person": onWire(typia.createIs<In<"block-person">>(), blockPerson),
  "unblock-person": onWire(typia.createIs<In<"unblock-person">>(), unblockPerson),
  "describe-media": onWire(typia.createIs<In<"describe-media">>(), describeMedia),
  "read-chunk": onWire(typia.createIs<In<"read-chunk">>(), readChunk),
};
