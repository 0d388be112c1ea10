import type { Group } from "../../../shared/contract/whatsapp/group.js";
import { toIsoTime } from "../convert.js";
import type { GroupPictures } from "./group-pictures.js";

/** The details of a group that are shown, with the library's names. */
export interface GroupDetails {
  readonly id: string;
  readonly subject: string;
  readonly desc?: string | undefined;
  /** Seconds since 1970. */
  readonly creation?: number | undefined;
}

/** Returns a group as the API shows it. The picture takes a request of its own. */
export async function describeGroup({ id, subject, desc, creation }: GroupDetails, pictures: GroupPictures): Promise<Group> {
  return { id, name: subject, description: desc ?? "", picture: await pictures.urlOf(id), created: toIsoTime(creation) };
}
