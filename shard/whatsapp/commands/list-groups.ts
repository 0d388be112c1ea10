import { getBinaryNodeChild, getBinaryNodeChildren } from "@whiskeysockets/baileys";
import type { Group } from "../../../shared/contract/whatsapp/group.js";
import { mapBounded } from "../../flow/map-bounded.js";
import type { Client } from "../client.js";
import { describeGroup, type GroupDetails } from "../group/describe-group.js";
import { GroupPictures } from "../group/group-pictures.js";
import { allGroups, detailsIn, queryGroup } from "../group/group-query.js";
import type { WhatsAppConnector } from "../connector.js";

/** GET /group: the account's groups. Each picture takes one request; ten run at a time. */
export async function listGroups(connector: WhatsAppConnector): Promise<{ docs: Group[] }> {
  const client = connector.connected();
  const groups = await readGroups(client);
  const pictures = new GroupPictures(client);
  return { docs: await mapBounded(groups, picturesAtOnce, (group) => describeGroup(group, pictures)) };
}

const picturesAtOnce = 10;

/** Reads the groups without the library, which takes a timeout for "no groups". */
async function readGroups(client: Client): Promise<GroupDetails[]> {
  const wanted = [
    { tag: "participants", attrs: {} },
    { tag: "description", attrs: {} },
  ];
  const response = await queryGroup(client, allGroups, "get", { tag: "participating", attrs: {}, content: wanted });
  return getBinaryNodeChildren(getBinaryNodeChild(response, "groups"), "group").flatMap((group) => detailsIn(group) ?? []);
}
