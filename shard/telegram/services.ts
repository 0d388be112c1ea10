import type { TelegramClient } from "telegram";
import type { TelegramApp } from "../../shared/config/telegram-app.js";
import type { MediaAddress } from "../../shared/contract/media.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Log } from "../../shared/log/logger.js";
import type { Tracing } from "../../shared/process/trace/tracing.js";
import type { MediaHolder } from "../../shared/media/description-cache.js";
import type { DeletedMessages, EditedMessages } from "../../shared/media/message-media.js";
import type { Egress } from "../egress/egress.js";
import type { IncomingPort } from "../tenant/incoming-turns.js";
import type { RefPort } from "../session/message-refs.js";
import type { QuotaPort } from "../tenant/session-quota.js";
import type { ChunkSource, ChunkSourceMetrics, ChunkStore } from "../files/media/chunk-source.js";
import type { KeyedSemaphore } from "../flow/keyed-semaphore.js";
import type { PictureCache } from "./media/pictures.js";
import type { TelegramDevice } from "./network/init-connection.js";
import type { DcAddress } from "./network/open-sender.js";
import type { DownloadPort, ImagePort, TextCardPort, VideoPort } from "../files/media/ports.js";
import type { TelegramTiming } from "./timing.js";
import type { UpdateMetrics } from "./updates/update-metrics.js";

export interface TelegramAdapterOptions {
  /** Undefined: Telegram is off. Sessions stay stored and disconnected, and no login begins. */
  readonly app: TelegramApp | undefined;
  /** Device names to show in the account's list of devices. Default: the name of this program. */
  readonly device?: TelegramDevice;
  /** Maps a data centre's address, as the platform lists it, to the `host:port` to connect to. Empty: connects to the listed addresses. */
  readonly dcMap: ReadonlyMap<string, string>;
  /** Data centre at which a new login starts. Default: number 2. */
  readonly startDc?: DcAddress;
  /** PEM texts of RSA keys that data centres may use besides the platform's own. */
  readonly serverKeys: readonly string[];
  /** Routes all connections to the platform. */
  readonly egress: Egress;
  readonly images: ImagePort & TextCardPort;
  readonly videos: VideoPort;
  readonly downloads: DownloadPort;
  readonly links: LinkPort;
  readonly refs: RefPort;
  readonly chunks: ChunkStore;
  /** Turns of the fetches of chunks; shared with the other platforms of the process. */
  readonly chunkTurns?: KeyedSemaphore;
  readonly deletedMedia: DeletedMediaPort;
  /** Limits how many media chunks and other downloads of a tenant run at once, over all shards. Absent: only the turns limit them. */
  readonly quota?: QuotaPort;
  /** Returns the tenant that owns a session. */
  readonly tenantOf: (session: SessionId) => string;
  /** Decides the order in which incoming data of sessions is processed. Absent: order of arrival. */
  readonly incoming?: IncomingPort;
  readonly log: Log;
  /** Creates a span for each fetched chunk. */
  readonly tracing?: Tracing | undefined;
  readonly metrics?: TelegramMetrics;
  readonly timing?: Partial<TelegramTiming>;
}

export interface LinkPort {
  /** Returns the signed link of the media endpoint. `ext` has no dot. */
  mediaUrl(session: SessionId, address: MediaAddress, ext: string): string;
}

export interface DeletedMediaPort {
  /** Invalidates the links to the media of these messages. Never rejects. */
  forget(holder: MediaHolder, deleted: DeletedMessages): Promise<void>;
  /** Makes the links to the media of these messages lead to their current files. Never rejects. */
  refresh(holder: MediaHolder, edited: EditedMessages): Promise<void>;
}

/** Called on each event; label values come from closed sets. */
export interface TelegramMetrics extends UpdateMetrics {
  /** A connection of a session ended: `lost`, `signed-out`, `migrate` or `reset`. */
  onConnectionEnd?(reason: string): void;
  /** Number of bytes received from the platform. */
  onBytes?(count: number): void;
  /** Called on each flood wait: `waited`, or `returned` when the error went to the caller because the wait was too long. */
  onFlood?(outcome: "waited" | "returned", seconds: number): void;
  readonly chunks?: ChunkSourceMetrics;
  /** Called when a part of a file was decrypted, with the seconds that it took. */
  onDecrypted?(this: void, seconds: number): void;
}

/** The application, with the client that every sender of GramJS requires. */
export interface OpenedApp extends TelegramApp {
  readonly owner: TelegramClient;
}

/** The services that all sessions of the process share. */
export interface TelegramServices extends Omit<TelegramAdapterOptions, "app" | "timing" | "startDc" | "chunks" | "chunkTurns" | "device"> {
  readonly app: OpenedApp | undefined;
  readonly device: TelegramDevice;
  readonly startDc: DcAddress;
  readonly timing: TelegramTiming;
  readonly pictures: PictureCache;
  readonly chunkSource: ChunkSource;
}
