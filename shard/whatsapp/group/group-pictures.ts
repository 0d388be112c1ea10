import type { Client } from "../client.js";
import { iqErrorCode } from "../errors.js";
import { QueryTimeout } from "../network/connection-error.js";
import { isTransient } from "../network/transient.js";
import { readPictureUrl } from "./picture-url.js";

/**
 * Reads the pictures for one list of groups. A failed picture is empty, so the list still succeeds. After one timeout no more pictures are
 * requested: each timeout would use up the list's time.
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
