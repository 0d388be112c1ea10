import type { GroupMetadata } from "@whiskeysockets/baileys";
import { groupNotFound } from "../../../shared/contract/whatsapp/errors.js";
import type { Client } from "../client.js";
import { iqErrorCode } from "../errors.js";
import { readGroup } from "../group/remember-group.js";

/** Returns a group. Throws `group not found` if it does not exist or the account is not a member. */
export async function findGroup(client: Client, groupId: string): Promise<GroupMetadata> {
  try {
    return await readGroup(client, groupId);
  } catch (error) {
    const code = iqErrorCode(error);
    throw code !== undefined && unknownCodes.has(code) ? groupNotFound(error) : error;
  }
}

const unknownCodes: ReadonlySet<number> = new Set([400, 401, 403, 404]);
