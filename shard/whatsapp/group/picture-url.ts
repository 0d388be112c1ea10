import { type Client } from "../client.js";
import { iqErrorCode } from "../errors.js";
import { QueryTimeout } from "../network/connection-error.js";

/** URL of the small picture of a group or user; empty when there is none, or when the account may not see it. */
export async function readPictureUrl(client: Client, jid: string): Promise<string> {
  try {
    return (await client.ask(() => client.sock.profilePictureUrl(jid, "preview"))) ?? "";
  } catch (error) {
    const code = iqErrorCode(error);
    if (code !== undefined && hiddenCodes.has(code)) return "";
    // A list with one picture less is of more use than none.
    if (error instanceof QueryTimeout) return "";
    throw error;
  }
}

const hiddenCodes: ReadonlySet<number> = new Set([401, 403, 404]);
