import { Api } from "telegram";
import { long } from "../world/ids.js";
import type { ServiceAction } from "../world/service-action.js";

export function tlAction(action: ServiceAction): Api.TypeMessageAction {
  switch (action.kind) {
    case "group-made":
      return new Api.MessageActionChatCreate({ title: action.title, users: action.userIds.map(long) });
    case "channel-made":
      return new Api.MessageActionChannelCreate({ title: action.title });
    case "renamed":
      return new Api.MessageActionChatEditTitle({ title: action.title });
    case "photo-set":
      // Clients read the new photo from the chat.
      return new Api.MessageActionChatEditPhoto({ photo: new Api.PhotoEmpty({ id: long(action.photoId) }) });
    case "photo-removed":
      return new Api.MessageActionChatDeletePhoto();
    case "timer-set":
      return new Api.MessageActionSetMessagesTTL({ period: action.period });
    case "added":
      return new Api.MessageActionChatAddUser({ users: action.userIds.map(long) });
    case "removed":
      return new Api.MessageActionChatDeleteUser({ userId: long(action.userId) });
    case "joined-by-link":
      return new Api.MessageActionChatJoinedByLink({ inviterId: long(action.inviterId) });
    case "migrated-to":
      return new Api.MessageActionChatMigrateTo({ channelId: long(action.channelId) });
    case "migrated-from":
      return new Api.MessageActionChannelMigrateFrom({ title: action.title, chatId: long(action.groupId) });
    default:
      return action satisfies never;
  }
}
