import { mediaNotFound, mediaTimeout } from "../../../shared/contract/whatsapp/errors.js";
import type { ReadChunkInput, ReadChunkOutput } from "../../../shared/contract/media.js";
import { storeChunk } from "../../files/media/store-chunk.js";
import { describeFile } from "../../../shared/media/file-description.js";
import type { CommandCall } from "../../session/command.js";
import type { WhatsAppConnector } from "../connector.js";
import { fetchChunk } from "../media/fetch-chunk.js";
import { withMediaErrors } from "../media/media-errors.js";

/** Brings one chunk of a received file into the chunk cache. The output holds only its length. */
export async function readChunk(connector: WhatsAppConnector, input: ReadChunkInput, { signal }: CommandCall): Promise<ReadChunkOutput> {
  const { fileKey, chunk, length } = input;
  const client = connector.connected();
  const { reuploads } = connector;
  const { media } = connector.services;
  const opened = media.links.openAddress(connector.id, input);
  // The link's keys may have changed since the router opened the link.
  if (opened === undefined || describeFile(opened.facts, 0).fileKey !== fileKey) throw mediaNotFound();
  const { address, facts } = opened;
  const fetch = (fetchSignal: AbortSignal): Promise<Buffer> =>
    withMediaErrors(() =>
      fetchChunk({ client, reuploads, wholeChecks: media.wholeChecks }, { fileKey, address, facts }, chunk, fetchSignal),
    );
  return storeChunk(media, { session: connector.id, fileKey, chunk, length, fetch, timeout: mediaTimeout }, signal);
}
