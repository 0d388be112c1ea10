import { decryptMediaRetryData, encryptMediaRetryRequest, proto, type BaileysEventMap, type WAMessageKey } from "@whiskeysockets/baileys";
import type { MediaAddress } from "../../../shared/contract/media.js";
import { mediaTimeout } from "../../../shared/contract/whatsapp/errors.js";
import type { FileFacts } from "../../../shared/media/file-facts.js";
import { AbortScope, untilAborted } from "../../../shared/flow/abort-scope.js";
import { SingleFlight } from "../../../shared/flow/single-flight.js";
import { mediaWaitMs } from "../../../shared/limits.js";
import { recentCache } from "../../flow/recent-cache.js";
import type { Client } from "../client.js";
import { pathOf } from "./message-file.js";

/** A message's file that the media hosts no longer have. */
export interface GoneFile {
  readonly fileKey: string;
  readonly address: MediaAddress;
  readonly facts: FileFacts;
}

/**
 * Requests that the account's phone upload files again, and remembers their new paths. One request per file at a time. The library's own
 * call waits without a limit and reports the message as changed.
 */
export class Reuploads {
  private readonly paths = recentCache<string>(pathsMax, pathMs);
  private readonly refused = recentCache<object>(pathsMax, refusedMs);
  private readonly requests = new SingleFlight<string | undefined>();

  constructor(private readonly waitMs = mediaWaitMs) {}

  /** Returns the path at which the phone uploaded the file again. */
  known(fileKey: string): string | undefined {
    return this.paths.get(fileKey);
  }

  clear(): void {
    this.paths.clear();
    this.refused.clear();
  }

  /**
   * Returns a path other than the `tried` one; `undefined` if the phone does not have the file. Rejects with 503 if the phone does not
   * respond in time.
   */
  async request(client: Pick<Client, "sock">, file: GoneFile, tried: string, signal: AbortSignal): Promise<string | undefined> {
    const { fileKey, facts } = file;
    // Another chunk of the file was faster.
    const known = this.paths.get(fileKey);
    if (known !== undefined && known !== tried) return known;
    // The phone uploads whole files of chats. Thumbnails and files of channels cannot be requested.
    if (facts.mediaKey.length === 0 || facts.kind.startsWith("thumbnail-") || this.refused.has(fileKey)) return undefined;
    this.paths.delete(fileKey);
    return this.requests.join(fileKey, (shared) => this.requestOnce(client, file, shared), signal);
  }

  private async requestOnce(client: Pick<Client, "sock">, file: GoneFile, signal: AbortSignal): Promise<string | undefined> {
    const scope = new AbortScope([signal], this.waitMs, mediaTimeout());
    try {
      const path = await askPhone(client, file, scope);
      if (path === undefined) this.refused.set(file.fileKey, noFile);
      else this.paths.set(file.fileKey, path);
      return path;
    } finally {
      scope.close();
    }
  }
}

const pathsMax = 500;
const pathMs = 3_600_000;
/** Pause before the next request for a file that the phone did not have. */
const refusedMs = 60_000;
/** A mark: only the key matters. */
const noFile = {};

async function askPhone({ sock }: Pick<Client, "sock">, { address, facts }: GoneFile, scope: AbortScope): Promise<string | undefined> {
  const { chatId, messageId } = address;
  const key: WAMessageKey = { remoteJid: chatId, id: messageId, fromMe: facts.fromMe, ...(facts.author && { participant: facts.author }) };
  let onUpdate: (updates: BaileysEventMap["messages.media-update"]) => void = () => undefined;
  const uploaded = new Promise<string | undefined>((resolve) => {
    onUpdate = (updates) => {
      const own = updates.find((update) => update.key.id === messageId && update.key.remoteJid === chatId);
      if (own !== undefined) resolve(newPath(own, facts, messageId));
    };
  });
  sock.ev.on("messages.media-update", onUpdate);
  try {
    await untilAborted(sock.sendNode(encryptMediaRetryRequest(key, facts.mediaKey, sock.authState.creds.me?.id ?? "")), scope);
    return await untilAborted(uploaded, scope);
  } finally {
    sock.ev.off("messages.media-update", onUpdate);
  }
}

/** Only who knows the media key can encrypt the path. */
function newPath({ media, error }: BaileysEventMap["messages.media-update"][number], facts: FileFacts, id: string): string | undefined {
  if (media === undefined || error !== undefined) return undefined;
  try {
    const { result, directPath } = decryptMediaRetryData(media, facts.mediaKey, id);
    return result === proto.MediaRetryNotification.ResultType.SUCCESS ? pathOf(directPath) || undefined : undefined;
  } catch {
    return undefined; // The error is dropped because a reply that does not decrypt is the same as none.
  }
}
