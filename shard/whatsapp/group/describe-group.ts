import { type GroupMetadata } from "@whiskeysockets/baileys";
import { type Group } from "../../../shared/contract/whatsapp/group.js";
import { type Client } from "../client.js";
import { toIsoTime } from "../convert.js";
import { iqErrorCode } from "../errors.js";
import { readPictureUrl } from "./picture-url.js";

/** A group as the document shows it; the picture is a question of its own, and a list without one that the platform refuses is of more use than none. */
export async function describeGroup(client: Client, { id, subject, desc, creation }: GroupMetadata): Promise<Group> {
  const picture = await readPictureUrl(client, id).catch((error: unknown) => {
    if (iqErrorCode(error) === undefined) throw error;
    return "";
  });
  return { id, name: subject, description: desc ?? "", picture, created: toIsoTime(creation) };
}
