import { getBinaryNodeChild } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import { iqErrorCode } from "../errors.js";

/**
 * Returns the URL of a group's or the account's small picture; empty when there is none or it is hidden. Rejects like the platform. After
 * a timeout it throws `QueryTimeout`, where the library returns "no picture".
 */
export async function readPictureUrl(client: Client, jid: string): Promise<string> {
  try {
    const response = await client.query({
      tag: "iq",
      attrs: { target: jid, to: "@s.whatsapp.net", type: "get", xmlns: "w:profile:picture" },
      content: [{ tag: "picture", attrs: { type: "preview", query: "url" } }],
    });
    return getBinaryNodeChild(response, "picture")?.attrs["url"] ?? "";
  } catch (error) {
    const code = iqErrorCode(error);
    if (code !== undefined && hiddenCodes.has(code)) return "";
    throw error;
  }
}

const hiddenCodes: ReadonlySet<number> = new Set([401, 403, 404]);
