import { type Api } from "telegram";
import { type CommandCall } from "../../../shared/contract/commands.js";
import { type Group, type GroupQuery } from "../../../shared/contract/telegram/group.js";
import { chatPicture } from "../chat-picture.js";
import { type Client } from "../client.js";
import { isJoinedGroup, toGroup } from "../convert.js";
import { listDialogChats } from "../dialogs.js";
import { mapBounded } from "../map-bounded.js";
import { readPicture } from "../pictures.js";
import { type TelegramSession } from "../session.js";
import { findGroup } from "./find-chat.js";

/** GET /group: basic groups and supergroups. Descriptions and photos are fetched one by one, four at a time. */
export async function listGroups(session: TelegramSession, _input: unknown, { signal }: CommandCall): Promise<{ docs: Group[] }> {
  const client = session.connected();
  const groups = (await listDialogChats(client, signal)).filter(isJoinedGroup);
  return { docs: await mapBounded(groups, detailsAtOnce, (group) => describe(session, client, group, signal)) };
}

/** GET /group/{groupId}. */
export async function getGroup(session: TelegramSession, { groupId }: GroupQuery, { signal }: CommandCall): Promise<Group> {
  const client = session.connected();
  return describe(session, client, await findGroup(session, client, groupId, signal), signal);
}

async function describe(session: TelegramSession, client: Client, group: Api.Chat | Api.Channel, signal: AbortSignal): Promise<Group> {
  const details = await session.chats.groupDetails(client, group, signal);
  const picture = await readPicture(client, session.services.pictures, chatPicture(group), signal);
  return toGroup(group, { ...details, picture });
}

const detailsAtOnce = 4;
