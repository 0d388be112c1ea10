import { once } from "node:events";
import { get, type Agent } from "node:https";
import type { IncomingMessage } from "node:http";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { Client } from "./client.js";
import { readPictureUrl } from "./group/picture-url.js";
import { userJid } from "./jid.js";
import { HostRefused } from "./media/host-refused.js";
import { retrying } from "./network/transient.js";

/** Returns the account's own small picture as a data URI, empty without one. Rejects when it cannot be read now. */
export async function readOwnPicture(client: Client, signal: AbortSignal): Promise<string> {
  const url = await readPictureUrl(client, userJid(client.me.id));
  if (url === "") return "";
  const scope = new AbortScope([signal], pictureMs);
  try {
    const fetching = (): Promise<Buffer> => fetchPicture(url, client.mediaAgent, scope.signal);
    const picture = await retrying(fetching, (error) => error instanceof HostRefused && error.isMomentary, scope.signal);
    return `data:image/jpeg;base64,${picture.toString("base64")}`;
  } finally {
    scope.close();
  }
}

const pictureMaxBytes = 256 * 1024;
const pictureMs = 10_000;

/** Fetches a picture over HTTPS, without redirects. The platform gave the URL, not a tenant, so it uses the same route as uploads. */
async function fetchPicture(url: string, agent: Agent, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  const request = get(url, { agent, signal });
  // An aborted request emits a second error after `once` has stopped listening, which would end the process.
  request.on("error", () => undefined);
  const [response] = (await once(request, "response", { signal })) as [IncomingMessage];
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    const bytes = part as Buffer;
    length += bytes.length;
    if (length > pictureMaxBytes) throw new Error("picture is too large");
    parts.push(bytes);
  }
  if (response.statusCode !== 200) throw new HostRefused(response.statusCode ?? 0);
  return Buffer.concat(parts);
}
