import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { JoinInput } from "../../../shared/contract/group-change.js";
import { groupNotFound, invalidInviteLink } from "../../../shared/contract/telegram/errors.js";
import type { JoinedGroup } from "../../../shared/contract/telegram/group-change.js";
import { inviteHashOf } from "../../../shared/contract/telegram/invite-link.js";
import { repeatable, type GroupTry } from "../chats/change-group.js";
import { chatsIn } from "../chats/chats-in.js";
import { describeGroup } from "../chats/describe-group.js";
import type { TelegramConnector } from "../connector.js";
import { isJoinedGroup } from "../convert.js";
import { errorName } from "../errors.js";
import { picturesDeadlineAt } from "../media/pictures.js";

/** POST /group/join. Returns the group also if the account is in it already. Throws `group not found` for the link of a channel. */
export async function joinGroup(connector: TelegramConnector, { link }: JoinInput, call: CommandCall): Promise<JoinedGroup> {
  const hash = inviteHashOf(link);
  if (hash === undefined) throw invalidInviteLink();
  return repeatable(connector, call, async (attempt) => {
    const invite = await attempt.invoke(new Api.messages.CheckChatInvite({ hash }));
    if (invite instanceof Api.ChatInviteAlready) return described(attempt, invite.chat);
    if (invite instanceof Api.ChatInvite && invite.broadcast === true) throw groupNotFound();
    const joined = await enter(attempt, hash);
    if (joined !== undefined) return described(attempt, joined);
    const { title = "", about } = invite instanceof Api.ChatInvite ? invite : {};
    return { id: "", name: title, username: "", description: about || "", picture: "", created: null, pending: true };
  });
}

/** Returns the joined chat; `undefined` if an administrator must approve first. */
async function enter({ invoke }: GroupTry, hash: string): Promise<Api.TypeChat | undefined> {
  try {
    return chatsIn(await invoke(new Api.messages.ImportChatInvite({ hash }))).find((chat) => isJoinedGroup(chat)) ?? raise(groupNotFound());
  } catch (error) {
    const name = errorName(error);
    if (name === "INVITE_REQUEST_SENT") return undefined;
    if (name !== "USER_ALREADY_PARTICIPANT") throw error;
    // An earlier try has joined the group.
    const invite = await invoke(new Api.messages.CheckChatInvite({ hash }));
    if (invite instanceof Api.ChatInviteAlready) return invite.chat;
    throw error;
  }
}

async function described({ connector, client, signal }: GroupTry, chat: Api.TypeChat): Promise<JoinedGroup> {
  if (!isJoinedGroup(chat)) throw groupNotFound();
  connector.peers.learn([chat]);
  return { ...(await describeGroup(connector, client, chat, signal, picturesDeadlineAt())), pending: false };
}

function raise(error: Error): never {
  throw error;
}
