import { type Group } from "../../../shared/contract/whatsapp/group.js";
import { mapBounded } from "../../flow/map-bounded.js";
import { describeGroup } from "../group/describe-group.js";
import { type WhatsAppSession } from "../session.js";

/** GET /group: the account's groups. Pictures are fetched one by one, ten at a time. */
export async function listGroups(session: WhatsAppSession): Promise<{ docs: Group[] }> {
  const client = session.connected();
  const groups = Object.values(await client.ask(() => client.sock.groupFetchAllParticipating()));
  return { docs: await mapBounded(groups, picturesAtOnce, (group) => describeGroup(client, group)) };
}

const picturesAtOnce = 10;
