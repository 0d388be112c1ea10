import type { Log } from "../../shared/log/logger.js";
import type { SealedLinks } from "../../shared/media/sealed-links.js";
import type { Egress } from "../egress/egress.js";
import type { RefPort } from "../session/message-refs.js";
import type { IncomingPort } from "../tenant/incoming-turns.js";
import type { ChunkSourceMetrics, ChunkStore } from "../files/media/chunk-source.js";
import type { ChunkServices } from "../files/media/store-chunk.js";
import type { KeyedSemaphore } from "../flow/keyed-semaphore.js";
import type { DownloadPort, ImagePort, VideoPort } from "../files/media/ports.js";
import type { WhatsAppLinkPort } from "./media/file-links.js";
import type { WholeChecks } from "./media/whole-checks.js";
import type { PasskeyMetrics } from "./passkey/passkey-failure.js";
import type { ShownDevice } from "./shown-device.js";
import type { MediaTransports } from "./network/media-transports.js";
import type { WhatsAppTiming } from "./timing.js";
import type { VersionMetrics, VersionPort } from "./version/client-versions.js";

export interface WhatsAppAdapterOptions {
  /** `wss://` address of the platform. Default: its own. */
  readonly url?: string;
  /** Key that signs the platform's certificates in the handshake: 32 bytes, or their base64. Default: the platform's own. */
  readonly rootKey?: Buffer;
  /** PEM text of a certificate authority that media hosts may use beside the public ones. */
  readonly mediaCa?: string;
  /** Source of the client version that is sent to the platform. Default: only the library's version. */
  readonly versions?: VersionPort;
  /** How phones show this linked device. Default: Chrome on Ubuntu. */
  readonly device?: ShownDevice;
  /** Routes all connections to the platform. */
  readonly egress: Egress;
  /** Schedules the processing of incoming data among sessions. Without it, data is processed on arrival. */
  readonly incoming?: IncomingPort;
  readonly channels?: Partial<ChannelQueries>;
  readonly images: ImagePort;
  readonly videos: VideoPort;
  readonly downloads: DownloadPort;
  /** Makes the links of received files. */
  readonly links: WhatsAppLinkPort;
  /** Makes and opens the refs of messages. */
  readonly refs: RefPort;
  /** Cache of the chunks of received files, and what limits their fetches. */
  readonly media: ReceivedMediaOptions;
  readonly log: Log;
  readonly metrics?: WhatsAppMetrics;
  readonly timing?: Partial<WhatsAppTiming>;
}

export interface ReceivedMediaOptions extends Omit<ChunkServices, "chunkSource"> {
  readonly chunks: ChunkStore;
  /** Turns of the fetches of chunks; shared with the other platforms of the process. */
  readonly turns?: KeyedSemaphore;
  /** Opens links that a router opened before. */
  readonly links: Pick<SealedLinks, "openAddress">;
}

/** Settings of the queries about channels: the platform identifies them by numbers that change with its releases. */
export interface ChannelQueries {
  readonly listId: string;
  readonly listVariables: Readonly<Record<string, unknown>>;
  /** Host of pictures that the platform gives as a path. */
  readonly pictureHost: string;
}

/** Callbacks for metrics. Label values come from closed sets. */
export interface WhatsAppMetrics extends VersionMetrics, PasskeyMetrics {
  readonly chunks?: ChunkSourceMetrics;
  /** A connection of a session ended: `lost`, `restart`, `codes-ended`, `signed-out` or `reset`. */
  onConnectionEnd?(reason: string): void;
  /** Bytes arrived from the platform. */
  onBytes?(count: number): void;
  /** A group message was sent without these devices because they have no usable keys. */
  onLeftOut?(devices: number): void;
  /** A message or status was sent. */
  onSend?(outcome: SendOutcome, seconds: number): void;
}

export type SendOutcome = "accepted" | "refused" | "lost" | "failed";

/** Services that all sessions of the process share. */
export interface WhatsAppServices
  extends Pick<WhatsAppAdapterOptions, "egress" | "incoming" | "images" | "videos" | "downloads" | "links" | "refs" | "log" | "metrics"> {
  readonly url: URL;
  readonly mediaTransports: MediaTransports;
  readonly media: ChunkServices & Pick<ReceivedMediaOptions, "links"> & { readonly wholeChecks: WholeChecks };
  readonly channels: ChannelQueries;
  readonly timing: WhatsAppTiming;
  readonly versions: VersionPort;
  readonly device: ShownDevice;
}
