import type { Client } from "../client.js";
import { iqErrorCode } from "../errors.js";
import { QueryTimeout } from "../network/connection-error.js";
import { isTransient } from "../network/transient.js";
import { readPictureUrl } from "./picture-url.js";

/**
 * Pictures for one list of groups. One that the platform does not give is shown as none: a list with a picture less is of more use than no list. After a
 * question that stays without an answer the others are not asked, because each would cost its whole wait, and many of them the list's time.
 */
export class GroupPictures {
  private silent = false;

  constructor(private readonly client: Client) {}

  async urlOf(groupId: string): Promise<string> {
    if (this.silent) return "";
    try {
      return await readPictureUrl(this.client, groupId);
    } catch (error) {
      const code = iqErrorCode(error);
      if (error instanceof QueryTimeout || isTransient(code ?? 0)) this.silent = true;
      else if (code === undefined) throw error;
      return "";
    }
  }
}
