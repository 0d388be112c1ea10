import type { Client } from "../client.js";
import { channelNotFound } from "../../../shared/contract/whatsapp/errors.js";
import { graphErrorCode } from "../errors.js";

export interface ChannelUpdate {
  readonly name?: string;
  readonly description?: string;
  /** A JPEG in base64; empty removes the picture. */
  readonly picture?: string;
}

/** Changes a channel that the account owns or manages. Fields that are left out stay as they are. */
export function setChannel(client: Client, channelId: string, update: ChannelUpdate): Promise<void> {
  return changeChannel(client, () => client.sock.newsletterUpdate(channelId, update));
}

/** Runs a call of the library that changes a channel or its followers. Throws `channel not found` if there is none. */
export async function changeChannel(client: Client, call: () => Promise<unknown>): Promise<void> {
  try {
    await client.runQuery(call);
  } catch (error) {
    throw graphErrorCode(error) === 404 ? channelNotFound(error) : error;
  }
}
