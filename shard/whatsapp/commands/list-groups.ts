import { getBinaryNodeChild, getBinaryNodeChildren, getBinaryNodeChildString, jidEncode, type BinaryNode } from "@whiskeysockets/baileys";
import type { Group } from "../../../shared/contract/whatsapp/group.js";
import { mapBounded } from "../../flow/map-bounded.js";
import type { Client } from "../client.js";
import { describeGroup, type GroupDetails } from "../group/describe-group.js";
import { GroupPictures } from "../group/group-pictures.js";
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
  const response = await client.query({
    tag: "iq",
    attrs: { to: "@g.us", type: "get", xmlns: "w:g2" },
    content: [{ tag: "participating", attrs: {}, content: wanted }],
  });
  return getBinaryNodeChildren(getBinaryNodeChild(response, "groups"), "group").flatMap(toDetails);
}

function toDetails(group: BinaryNode): GroupDetails | [] {
  const { id, subject = "", creation } = group.attrs;
  if (id === undefined) return [];
  const desc = getBinaryNodeChildString(getBinaryNodeChild(group, "description"), "body");
  return { id: id.includes("@") ? id : jidEncode(id, "g.us"), subject, desc, creation: Number(creation) };
}
