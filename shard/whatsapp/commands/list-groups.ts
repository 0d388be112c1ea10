import { getBinaryNodeChild, getBinaryNodeChildren, type GroupMetadata } from "@whiskeysockets/baileys";
import { extractGroupMetadata } from "@whiskeysockets/baileys/lib/Socket/groups.js";
import type { Group } from "../../../shared/contract/whatsapp/group.js";
import { mapBounded } from "../../flow/map-bounded.js";
import type { Client } from "../client.js";
import { describeGroup } from "../group/describe-group.js";
import { GroupPictures } from "../group/group-pictures.js";
import type { WhatsAppConnector } from "../connector.js";

/** GET /group: the account's groups. Pictures are fetched one by one, ten at a time. */
export async function listGroups(connector: WhatsAppConnector): Promise<{ docs: Group[] }> {
  const client = connector.connected();
  const groups = await readGroups(client);
  const pictures = new GroupPictures(client);
  return { docs: await mapBounded(groups, picturesAtOnce, (group) => describeGroup(group, pictures)) };
}

const picturesAtOnce = 10;

/** Asked here because the library takes silence for "no groups". */
async function readGroups(client: Client): Promise<GroupMetadata[]> {
  const wanted = [
    { tag: "participants", attrs: {} },
    { tag: "description", attrs: {} },
  ];
  const answer = await client.query({
    tag: "iq",
    attrs: { to: "@g.us", type: "get", xmlns: "w:g2" },
    content: [{ tag: "participating", attrs: {}, content: wanted }],
  });
  const groups = getBinaryNodeChildren(getBinaryNodeChild(answer, "groups"), "group");
  return groups.map((group) => extractGroupMetadata({ tag: "result", attrs: {}, content: [group] }));
}
