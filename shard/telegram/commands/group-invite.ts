import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { InviteLink } from "../../../shared/contract/group-change.js";
import { internal } from "../../../shared/contract/telegram/errors.js";
import type { GroupReference } from "../../../shared/contract/telegram/group-change.js";
import { changeGroup, inputChannelOf, inputPeerOf, type AnyGroup, type GroupTry } from "../chats/change-group.js";
import type { TelegramConnector } from "../connector.js";

/** GET /group/invite: the account's primary link of the group. The platform makes one for an administrator without a link. */
export function getGroupInvite(connector: TelegramConnector, { group }: GroupReference, call: CommandCall): Promise<InviteLink> {
  return changeGroup(
    connector,
    group,
    call,
    async (found, attempt) => (await currentLink(found, attempt)) ?? (await newLink(found, attempt)),
  );
}

/** DELETE /group/invite: returns the new primary link. The old one no longer works. */
export function revokeGroupInvite(connector: TelegramConnector, { group }: GroupReference, call: CommandCall): Promise<InviteLink> {
  return changeGroup(connector, group, call, newLink);
}

async function currentLink(group: AnyGroup, { invoke }: GroupTry): Promise<InviteLink | undefined> {
  const request =
    group instanceof Api.Chat
      ? new Api.messages.GetFullChat({ chatId: group.id })
      : new Api.channels.GetFullChannel({ channel: inputChannelOf(group) });
  const { fullChat } = await invoke(request);
  return "exportedInvite" in fullChat && fullChat.exportedInvite instanceof Api.ChatInviteExported
    ? { link: fullChat.exportedInvite.link }
    : undefined;
}

/** Revokes the account's primary link, if there is one. */
async function newLink(group: AnyGroup, { invoke }: GroupTry): Promise<InviteLink> {
  const invite = await invoke(new Api.messages.ExportChatInvite({ peer: inputPeerOf(group), legacyRevokePermanent: true }));
  if (!(invite instanceof Api.ChatInviteExported)) throw internal(new Error("an invite without a link"));
  return { link: invite.link };
}
