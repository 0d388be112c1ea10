import type { Group } from "../../../shared/contract/whatsapp/group.js";
import { toIsoTime } from "../convert.js";
import type { GroupPictures } from "./group-pictures.js";

/** What is shown of a group, in the library's words. */
export interface GroupDetails {
  readonly id: string;
  readonly subject: string;
  readonly desc?: string | undefined;
  /** Seconds since 1970. */
  readonly creation?: number | undefined;
}

/** A group as the document shows it; its picture is a question of its own. */
export async function describeGroup({ id, subject, desc, creation }: GroupDetails, pictures: GroupPictures): Promise<Group> {
  return { id, name: subject, description: desc ?? "", picture: await pictures.urlOf(id), created: toIsoTime(creation) };
}
