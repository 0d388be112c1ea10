import type { Group, GroupQuery } from "../../../shared/contract/whatsapp/group.js";
import { describeGroup } from "../group/describe-group.js";
import { GroupPictures } from "../group/group-pictures.js";
import type { WhatsAppConnector } from "../connector.js";
import { findGroup } from "./find-group.js";

/** GET /group/{groupId}. */
export async function getGroup(connector: WhatsAppConnector, { groupId }: GroupQuery): Promise<Group> {
  const client = connector.connected();
  return describeGroup(await findGroup(client, groupId), new GroupPictures(client));
}
