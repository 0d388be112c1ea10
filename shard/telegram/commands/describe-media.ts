import type { CommandCall } from "../../session/command.js";
import type { MediaAddress, MediaDescription } from "../../../shared/contract/media.js";
import { withMediaErrors } from "../media/media-errors.js";
import type { TelegramConnector } from "../connector.js";

/** Returns size, type and tag of a link's file. Fetches the message anew, because it may have been deleted, but no bytes of the file. */
export async function describeMedia(
  connector: TelegramConnector,
  address: MediaAddress,
  { signal }: CommandCall,
): Promise<MediaDescription> {
  const client = connector.connected();
  const file = await withMediaErrors(() => connector.files.find(client, address, signal, true));
  return file.description;
}
