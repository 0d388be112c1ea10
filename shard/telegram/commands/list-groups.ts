import type { CommandCall } from "../../session/command.js";
import type { Group } from "../../../shared/contract/telegram/group.js";
import { describeGroup } from "../chats/describe-group.js";
import { listDialogChats } from "../chats/dialogs.js";
import { isJoinedGroup } from "../convert.js";
import { mapBounded } from "../../flow/map-bounded.js";
import { picturesDeadlineAt } from "../media/pictures.js";
import type { TelegramConnector } from "../connector.js";

/** GET /group: lists basic groups and supergroups. Fetches descriptions and photos of four groups at a time. */
export async function listGroups(connector: TelegramConnector, _input: unknown, { signal }: CommandCall): Promise<{ docs: Group[] }> {
  const client = connector.connected();
  const groups = (await listDialogChats(client, signal)).filter(isJoinedGroup);
  const picturesUntil = picturesDeadlineAt();
  return { docs: await mapBounded(groups, detailsAtOnce, (group) => describeGroup(connector, client, group, signal, picturesUntil)) };
}

const detailsAtOnce = 4;
