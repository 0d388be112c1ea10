import type { CommandCall } from "../../session/command.js";
import type { Group, GroupQuery } from "../../../shared/contract/telegram/group.js";
import { describeGroup } from "../chats/describe-group.js";
import { picturesDeadlineAt } from "../media/pictures.js";
import type { TelegramConnector } from "../connector.js";
import { findGroup } from "./find-chat.js";

/** GET /group/{groupId}. */
export async function getGroup(connector: TelegramConnector, { groupId }: GroupQuery, { signal }: CommandCall): Promise<Group> {
  const client = connector.connected();
  return describeGroup(connector, client, await findGroup(connector, client, groupId, signal), signal, picturesDeadlineAt());
}
