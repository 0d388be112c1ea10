import type { CommandCall } from "../../../shared/contract/commands.js";
import type { Group, GroupQuery } from "../../../shared/contract/telegram/group.js";
import { describeGroup } from "../chats/describe-group.js";
import type { TelegramSession } from "../session.js";
import { findGroup } from "./find-chat.js";

/** GET /group/{groupId}. */
export async function getGroup(session: TelegramSession, { groupId }: GroupQuery, { signal }: CommandCall): Promise<Group> {
  const client = session.connected();
  return describeGroup(session, client, await findGroup(session, client, groupId, signal), signal);
}
