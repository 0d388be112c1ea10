import { readFile } from "node:fs/promises";
import { type Client } from "./client.js";
import { readPictureUrl } from "./group/picture-url.js";
import { userJid } from "./jid.js";
import { type DownloadPort } from "./ports.js";

/** The account's own small picture as a data URI, empty without one. Rejects when it cannot be read now. */
export async function readOwnPicture(client: Client, downloads: DownloadPort, session: string, signal: AbortSignal): Promise<string> {
  const url = await readPictureUrl(client, userJid(client.me.id));
  if (url === "") return "";
  const file = await downloads.download(url, { key: session, maxBytes: pictureMaxBytes, signal });
  try {
    return `data:image/jpeg;base64,${(await readFile(file.path)).toString("base64")}`;
  } finally {
    await file.dispose();
  }
}

const pictureMaxBytes = 256 * 1024;
