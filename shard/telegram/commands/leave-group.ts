import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { LeftGroup } from "../../../shared/contract/group-change.js";
import { ApiError } from "../../../shared/contract/api-error.js";
import type { GroupReference } from "../../../shared/contract/telegram/group-change.js";
import { inputChannelOf, repeatable, unlessLeft } from "../chats/change-group.js";
import type { TelegramConnector } from "../connector.js";
import { markOf } from "../convert.js";
import { findGroup } from "./find-chat.js";

/** POST /group/leave. */
export function leaveGroup(connector: TelegramConnector, { group: reference }: GroupReference, call: CommandCall): Promise<LeftGroup> {
  return repeatable(connector, call, async ({ client, signal, invoke, isRepeat }) => {
    const group = await findGroup(connector, client, reference, signal).catch((error: unknown) => {
      // The first try has left the group.
      if (isRepeat() && error instanceof ApiError && error.status === 400) return undefined;
      throw error;
    });
    if (group === undefined) return { id: reference };
    const request =
      group instanceof Api.Chat
        ? new Api.messages.DeleteChatUser({ chatId: group.id, userId: new Api.InputUserSelf() })
        : new Api.channels.LeaveChannel({ channel: inputChannelOf(group) });
    await unlessLeft(invoke<Api.AnyRequest>(request));
    const id = markOf(group);
    connector.chats.left(id);
    return { id };
  });
}
