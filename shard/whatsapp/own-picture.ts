import { once } from "node:events";
import { get, type Agent } from "node:https";
import type { IncomingMessage } from "node:http";
import { openScope } from "../../shared/flow/abort-scope.js";
import type { Client } from "./client.js";
import { readPictureUrl } from "./group/picture-url.js";
import { userJid } from "./jid.js";

/** The account's own small picture as a data URI, empty without one. Rejects when it cannot be read now. */
export async function readOwnPicture(client: Client, signal: AbortSignal): Promise<string> {
  const url = await readPictureUrl(client, userJid(client.me.id));
  if (url === "") return "";
  const scope = openScope([signal], pictureMs);
  try {
    return `data:image/jpeg;base64,${(await fetchPicture(url, client.mediaAgent, scope.signal)).toString("base64")}`;
  } finally {
    scope.close();
  }
}

const pictureMaxBytes = 256 * 1024;
const pictureMs = 10_000;

/** The address is the platform's, not a tenant's: it is reached as uploads are. Https only, no redirects. */
async function fetchPicture(url: string, agent: Agent, signal: AbortSignal): Promise<Buffer> {
  const [response] = (await once(get(url, { agent, signal }), "response", { signal })) as [IncomingMessage];
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    const bytes = part as Buffer;
    length += bytes.length;
    if (length > pictureMaxBytes) throw new Error("picture is too large");
    parts.push(bytes);
  }
  if (response.statusCode !== 200) throw new Error(`picture was answered with status ${response.statusCode ?? 0}`);
  return Buffer.concat(parts);
}
