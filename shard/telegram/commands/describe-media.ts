import type { CommandCall } from "../../session/command.js";
import type { MediaAddress, MediaDescription } from "../../../shared/contract/media.js";
import { withMediaErrors } from "../media/media-errors.js";
import type { TelegramConnector } from "../connector.js";

/** What a link leads to: size, type, tag. Fetches the message anew, which may have been deleted, and no bytes of the file. */
export async function describeMedia(
  connector: TelegramConnector,
  address: MediaAddress,
  { signal }: CommandCall,
): Promise<MediaDescription> {
  const client = connector.connected();
  const file = await withMediaErrors(() => connector.files.find(client, address, signal, true));
  return file.description;
}
