import { type GroupMetadata } from "@whiskeysockets/baileys";
import { type Group } from "../../../shared/contract/whatsapp/group.js";
import { type Client } from "../client.js";
import { toIsoTime } from "../convert.js";
import { readPictureUrl } from "./picture-url.js";

/** A group as the document shows it; the picture is a question of its own. */
export async function describeGroup(client: Client, { id, subject, desc, creation }: GroupMetadata): Promise<Group> {
  return { id, name: subject, description: desc ?? "", picture: await readPictureUrl(client, id), created: toIsoTime(creation) };
}
