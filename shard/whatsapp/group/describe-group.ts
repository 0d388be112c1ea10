import type { GroupMetadata } from "@whiskeysockets/baileys";
import type { Group } from "../../../shared/contract/whatsapp/group.js";
import { toIsoTime } from "../convert.js";
import type { GroupPictures } from "./group-pictures.js";

/** A group as the document shows it; its picture is a question of its own. */
export async function describeGroup({ id, subject, desc, creation }: GroupMetadata, pictures: GroupPictures): Promise<Group> {
  return { id, name: subject, description: desc ?? "", picture: await pictures.urlOf(id), created: toIsoTime(creation) };
}
