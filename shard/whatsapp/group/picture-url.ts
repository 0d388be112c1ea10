import { getBinaryNodeChild } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import { iqErrorCode } from "../errors.js";

/**
 * URL of the small picture of a group or of the account; empty when there is none, or when the account may not see it. Rejects like the platform, with
 * `QueryTimeout` when it says nothing: the library takes that for "no picture".
 */
export async function readPictureUrl(client: Client, jid: string): Promise<string> {
  try {
    const answer = await client.query({
      tag: "iq",
      attrs: { target: jid, to: "@s.whatsapp.net", type: "get", xmlns: "w:profile:picture" },
      content: [{ tag: "picture", attrs: { type: "preview", query: "url" } }],
    });
    return getBinaryNodeChild(answer, "picture")?.attrs["url"] ?? "";
  } catch (error) {
    const code = iqErrorCode(error);
    if (code !== undefined && hiddenCodes.has(code)) return "";
    throw error;
  }
}

const hiddenCodes: ReadonlySet<number> = new Set([401, 403, 404]);
