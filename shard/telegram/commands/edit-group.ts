import { Api } from "telegram";
import { changedPicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { EditGroupInput, GroupSettings } from "../../../shared/contract/group-change.js";
import { needsSupergroup } from "../../../shared/contract/telegram/errors.js";
import type { Group } from "../../../shared/contract/telegram/group.js";
import { changeGroup, inputChannelOf, inputPeerOf, unlessUnchanged, type AnyGroup, type GroupTry } from "../chats/change-group.js";
import { changedRights } from "../chats/default-rights.js";
import { describeGroup } from "../chats/describe-group.js";
import type { TelegramConnector } from "../connector.js";
import { picturesDeadlineAt } from "../media/pictures.js";
import { uploaded } from "../media/transfer.js";
import { markOf } from "../convert.js";
import { findGroup } from "./find-chat.js";

/**
 * PATCH /group/{groupId}. Uploads the picture before the first change. Changes name, description, picture and settings in this order, and
 * ends with the first one that the platform refuses.
 */
export async function editGroup(connector: TelegramConnector, input: EditGroupInput, call: CommandCall): Promise<Group> {
  const { groupId, name, description, picture, settings } = input;
  const jpeg = await changedPicture(connector.services, picture, { key: connector.id, signal: call.signal });
  return changeGroup(connector, groupId, call, async (group, attempt) => {
    if (settings?.approval !== undefined && group instanceof Api.Chat) throw needsSupergroup();
    const photo = jpeg === undefined ? undefined : await photoOf(jpeg, attempt);
    const { client, signal, invoke } = attempt;
    const peer = inputPeerOf(group);
    if (name !== undefined) await unlessUnchanged(invoke(titleRequest(group, name)));
    if (description !== undefined) await unlessUnchanged(invoke(new Api.messages.EditChatAbout({ peer, about: description })));
    if (photo !== undefined) await unlessUnchanged(invoke(photoRequest(group, photo)));
    if (settings !== undefined) await changeSettings(group, settings, attempt);
    const id = markOf(group);
    connector.chats.changed(id);
    return describeGroup(connector, client, await findGroup(connector, client, id, signal), signal, picturesDeadlineAt());
  });
}

async function photoOf(jpeg: Buffer | "", attempt: GroupTry): Promise<Api.TypeInputChatPhoto> {
  if (jpeg === "") return new Api.InputChatPhotoEmpty();
  return new Api.InputChatUploadedPhoto({ file: await uploaded(attempt, jpeg, "picture.jpg") });
}

function titleRequest(group: AnyGroup, title: string): Api.messages.EditChatTitle | Api.channels.EditTitle {
  return group instanceof Api.Chat
    ? new Api.messages.EditChatTitle({ chatId: group.id, title })
    : new Api.channels.EditTitle({ channel: inputChannelOf(group), title });
}

function photoRequest(group: AnyGroup, photo: Api.TypeInputChatPhoto): Api.messages.EditChatPhoto | Api.channels.EditPhoto {
  return group instanceof Api.Chat
    ? new Api.messages.EditChatPhoto({ chatId: group.id, photo })
    : new Api.channels.EditPhoto({ channel: inputChannelOf(group), photo });
}

async function changeSettings(group: AnyGroup, settings: GroupSettings, { invoke }: GroupTry): Promise<void> {
  const { approval, ephemeral } = settings;
  const peer = inputPeerOf(group);
  const bannedRights = changedRights(group.defaultBannedRights, settings);
  if (bannedRights !== undefined) await unlessUnchanged(invoke(new Api.messages.EditChatDefaultBannedRights({ peer, bannedRights })));
  if (approval !== undefined && group instanceof Api.Channel)
    await unlessUnchanged(invoke(new Api.channels.ToggleJoinRequest({ channel: inputChannelOf(group), enabled: approval })));
  if (ephemeral !== undefined) await unlessUnchanged(invoke(new Api.messages.SetHistoryTTL({ peer, period: ephemeral })));
}
