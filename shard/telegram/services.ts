import type { TelegramClient } from "telegram";
import type { MediaAddress } from "../../shared/contract/media.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Log } from "../../shared/log/logger.js";
import type { Tracing } from "../../shared/process/trace/tracing.js";
import type { MediaHolder } from "../../shared/media/description-cache.js";
import type { DeletedMessages } from "../../shared/media/message-media.js";
import type { Egress } from "../egress/egress.js";
import type { IncomingPort } from "../tenant/incoming-turns.js";
import type { QuotaPort } from "../tenant/session-quota.js";
import type { ChunkSource, ChunkStore } from "../files/media/chunk-source.js";
import type { PictureCache } from "./media/pictures.js";
import type { TelegramDevice } from "./network/init-connection.js";
import type { DcAddress } from "./network/open-sender.js";
import type { DownloadPort, ImagePort, TextCardPort, VideoPort } from "../files/media/ports.js";
import type { TelegramTiming } from "./timing.js";
import type { UpdateMetrics } from "./updates/update-metrics.js";

export interface TelegramAdapterOptions {
  /** From my.telegram.org. */
  readonly apiId: number;
  readonly apiHash: string;
  /** Default: one that is called like this program. */
  readonly device?: TelegramDevice;
  /** Address of a data centre as the platform names it -> `host:port` to connect to. Empty: the addresses are used as they are. */
  readonly dcMap: ReadonlyMap<string, string>;
  /** Data centre that a new login starts at. Default: the platform's number 2. */
  readonly startDc?: DcAddress;
  /** PEM texts of RSA keys that data centres may use beside the platform's own. */
  readonly serverKeys: readonly string[];
  /** The way of all connections to the platform. */
  readonly egress: Egress;
  readonly images: ImagePort & TextCardPort;
  readonly videos: VideoPort;
  readonly downloads: DownloadPort;
  readonly links: LinkPort;
  readonly chunks: ChunkStore;
  readonly deletedMedia: DeletedMediaPort;
  /** How many chunks of a tenant's media are fetched at once, over all shards, with what else counts as a download; absent: as many as there are turns. */
  readonly quota?: QuotaPort;
  /** To whom a session belongs. */
  readonly tenantOf: (session: SessionId) => string;
  /** In whose turn it is worked at what comes in; absent: as it comes. */
  readonly incoming?: IncomingPort;
  readonly log: Log;
  /** Makes a span of each fetched chunk. */
  readonly tracing?: Tracing | undefined;
  readonly metrics?: TelegramMetrics;
  readonly timing?: Partial<TelegramTiming>;
}

export interface LinkPort {
  /** Signed link of the media endpoint. `ext` has no dot. */
  mediaUrl(session: SessionId, address: MediaAddress, ext: string): string;
}

export interface DeletedMediaPort {
  /** Ends the links to the media of these messages. Never rejects. */
  forget(holder: MediaHolder, deleted: DeletedMessages): Promise<void>;
}

/** Called as things happen; labels come from closed sets. */
export interface TelegramMetrics extends UpdateMetrics {
  /** A connection of a session ended: `lost`, `signed-out`, `migrate` or `reset`. */
  onConnectionEnd?(reason: string): void;
  /** Bytes that came from the platform. */
  onBytes?(count: number): void;
  /** The platform asked a call to wait: `waited`, or `told` because it would have taken too long. */
  onFlood?(outcome: "waited" | "told", seconds: number): void;
  /** One 512 KiB chunk was fetched and stored: `ok`, `wait`, `timeout`, `gone`, `aborted` or `failed`. */
  onChunk?(outcome: string, seconds: number, bytes: number): void;
  /** A chunk's fetch waited for its turn. */
  onChunkTurn?(waitSeconds: number): void;
  /** By how much the number of fetches that run, and of those that wait for a turn, changed. */
  onChunkFetches?(running: number, waiting: number): void;
  /** A part of a file was decrypted. */
  onDecrypted?(this: void, seconds: number): void;
  /** A chunk that was asked for had come into the cache meanwhile. */
  onChunkStored?(): void;
}

/** What all sessions of the process share. */
export interface TelegramServices extends Omit<TelegramAdapterOptions, "timing" | "startDc" | "chunks" | "device"> {
  readonly device: TelegramDevice;
  readonly owner: TelegramClient;
  readonly startDc: DcAddress;
  readonly timing: TelegramTiming;
  readonly pictures: PictureCache;
  readonly chunkSource: ChunkSource;
}
