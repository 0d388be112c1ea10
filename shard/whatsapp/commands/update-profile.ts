import { changedPicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { ProfileInput } from "../../../shared/contract/profile.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import { settingsNotSynced } from "../../../shared/contract/whatsapp/errors.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { pictureQuery } from "../picture-query.js";

/** PATCH /profile. Prepares the picture before it changes anything. A repeated change leaves the profile as it is. */
export async function updateProfile(
  connector: WhatsAppConnector,
  { name, about, picture }: ProfileInput,
  { signal }: CommandCall,
): Promise<SessionReference> {
  if (name !== undefined && !connector.connected().hasAppStateKey) throw settingsNotSynced();
  const jpeg = await changedPicture(connector.services, picture, { key: connector.id, signal });
  const client = connector.connected();
  if (name !== undefined) await setName(connector, client, name);
  if (about !== undefined) await client.runQuery(() => client.sock.updateProfileStatus(about));
  if (jpeg !== undefined) {
    await client.query(pictureQuery(jpeg));
    await connector.shown.showPicture(client, signal);
  }
  return { id: connector.id };
}

/** The name is part of the app state, which the library encrypts and sends. */
async function setName({ bookSync }: WhatsAppConnector, client: Client, name: string): Promise<void> {
  // The first read after a login contains the former name, and would show it again.
  await bookSync.idle();
  const { sock } = client;
  await client.runQuery(() => sock.updateProfileName(name));
  // The library passes a new name to the server and the session's record only if another device has changed it.
  const { me } = sock.authState.creds;
  if (me !== undefined) sock.ev.emit("creds.update", { me: { ...me, name } });
}
