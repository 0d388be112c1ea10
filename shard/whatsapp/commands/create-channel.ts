import { QueryIds } from "@whiskeysockets/baileys";
import { squarePicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { NewChannelInput } from "../../../shared/contract/channel-change.js";
import { internal } from "../../../shared/contract/whatsapp/errors.js";
import type { Channel } from "../../../shared/contract/whatsapp/channel.js";
import { type ChannelNode, isChannelNode, toChannel } from "../channel/channel-node.js";
import { graphQuery, graphResult } from "../channel/graph-response.js";
import { setChannel } from "../channel/set-channel.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { ConnectionLost, QueryTimeout } from "../network/connection-error.js";
import { findChannel } from "./find-channel.js";

/** POST /channel. The picture is made first, so that a file which cannot be used creates no channel. */
export async function createChannel(
  connector: WhatsAppConnector,
  { name, description, picture }: NewChannelInput,
  { signal, log }: CommandCall,
): Promise<Channel> {
  const jpeg = picture === undefined ? undefined : await squarePicture(connector.services, picture, { key: connector.id, signal });
  const client = connector.connected();
  const created = await create(client, name, description);
  const node =
    jpeg === undefined
      ? created
      : await withPicture(client, created, jpeg).catch((error: unknown) => {
          // The channel exists: an error would make the caller create another one.
          log.warn({ err: error }, "picture of new channel not set");
          return created;
        });
  return toChannel(node, connector.services.channels.pictureHost);
}

/** Sends the query itself, because the library throws on a response without a picture. */
async function create(client: Client, name: string, description: string): Promise<ChannelNode> {
  const query = graphQuery(QueryIds.CREATE, { input: { name, description: description === "" ? null : description } });
  try {
    const node = graphResult(await client.query(query), "xwa2_newsletter_create", internal);
    if (isChannelNode(node)) return node;
  } catch (error) {
    // The channel may exist, so the error must not invite a retry.
    throw error instanceof ConnectionLost || error instanceof QueryTimeout ? internal(error) : error;
  }
  throw internal(new Error("the platform named no channel"));
}

async function withPicture(client: Client, { id }: ChannelNode, jpeg: Buffer): Promise<ChannelNode> {
  await setChannel(client, id, { picture: jpeg.toString("base64") });
  return findChannel(client, id);
}
