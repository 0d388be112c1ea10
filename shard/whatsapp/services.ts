import type { Log } from "../../shared/log/logger.js";
import type { Egress } from "../egress/egress.js";
import type { IncomingPort } from "../tenant/incoming-turns.js";
import type { DownloadPort, ImagePort, VideoPort } from "../files/media/ports.js";
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
  /** Version of the client that is shown to the platform. Default: the library's alone. */
  readonly versions?: VersionPort;
  /** As what phones show linked devices. Default: a Chrome on Ubuntu. */
  readonly device?: ShownDevice;
  /** The way of all connections to the platform. */
  readonly egress: Egress;
  /** In whose turn it is worked at what comes in; absent: as it comes. */
  readonly incoming?: IncomingPort;
  readonly channels?: Partial<ChannelQueries>;
  readonly images: ImagePort;
  readonly videos: VideoPort;
  readonly downloads: DownloadPort;
  readonly log: Log;
  readonly metrics?: WhatsAppMetrics;
  readonly timing?: Partial<WhatsAppTiming>;
}

/** The platform names its questions about channels by numbers that change with its releases. */
export interface ChannelQueries {
  readonly listId: string;
  readonly listVariables: Readonly<Record<string, unknown>>;
  /** Host of pictures that the platform gives as a path. */
  readonly pictureHost: string;
}

/** Called as things happen; labels come from closed sets. */
export interface WhatsAppMetrics extends VersionMetrics, PasskeyMetrics {
  /** A connection of a session ended: `lost`, `restart`, `codes-ended`, `signed-out` or `reset`. */
  onConnectionEnd?(reason: string): void;
  /** Bytes that came from the platform. */
  onBytes?(count: number): void;
  /** Devices that a group's message went out without, as they have no usable keys. */
  onLeftOut?(devices: number): void;
  /** One message or status: `accepted`, `refused`, `lost` or `failed`. */
  onSend?(outcome: string, seconds: number): void;
}

/** What all sessions of the process share. */
export interface WhatsAppServices
  extends Pick<WhatsAppAdapterOptions, "egress" | "incoming" | "images" | "videos" | "downloads" | "log" | "metrics"> {
  readonly url: URL;
  readonly mediaTransports: MediaTransports;
  readonly channels: ChannelQueries;
  readonly timing: WhatsAppTiming;
  readonly versions: VersionPort;
  readonly device: ShownDevice;
}
