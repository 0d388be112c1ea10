import { Agent } from "node:https";
import { rootCertificates } from "node:tls";
import { WA_CERT_DETAILS, type WAVersion } from "@whiskeysockets/baileys";
import type { Log } from "../../shared/log/logger.js";
import type { PlatformAdapter, SessionContext } from "../platform/platform-session.js";
import { whatsappCommands } from "./commands/index.js";
import { localAddress } from "./network/fenced-link.js";
import { installFrameGates } from "./network/frame-gate.js";
import { useNativeCurve } from "./network/native-curve.js";
import { quietLibsignal } from "./network/quiet-libsignal.js";
import { surviveRejections } from "./network/survive-rejections.js";
import type { DownloadPort, ImagePort, VideoPort } from "./ports.js";
import { WhatsAppSession } from "./session.js";
import { defaultTiming, type WhatsAppTiming } from "./timing.js";

export interface WhatsAppAdapterOptions {
  /** `wss://` address of the platform. Default: its own. */
  readonly url?: string;
  /** Key that signs the platform's certificates in the handshake: 32 bytes, or their base64. Default: the platform's own. */
  readonly rootKey?: Buffer;
  /** PEM text of a certificate authority that media hosts may use beside the public ones. */
  readonly mediaCa?: string;
  /** Version of the client that is shown to the platform. Default: the library's. */
  readonly version?: WAVersion;
  /** Local address that the platform's sockets are bound to. */
  readonly egressAddress?: string;
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
export interface WhatsAppMetrics {
  /** A connection of a session ended: `lost`, `restart`, `codes-ended`, `signed-out` or `reset`. */
  onConnectionEnd?(reason: string): void;
  /** Bytes that came from the platform. */
  onBytes?(count: number): void;
  /** One message or status: `accepted`, `refused`, `lost` or `failed`. */
  onSend?(outcome: string, seconds: number): void;
}

/** What all sessions of the process share. */
export interface WhatsAppServices extends Pick<WhatsAppAdapterOptions, "images" | "videos" | "downloads" | "log"> {
  readonly metrics: WhatsAppMetrics | undefined;
  readonly version: WAVersion | undefined;
  readonly url: URL;
  readonly egressAddress: string | undefined;
  readonly mediaAgent: Agent;
  readonly channels: ChannelQueries;
  readonly timing: WhatsAppTiming;
}

/** Variant A over Baileys. Silences libsignal, gives it a quicker curve, and sets the root key process-wide; opens nothing until a session runs. */
export function createWhatsAppAdapter(options: WhatsAppAdapterOptions): PlatformAdapter<"whatsapp", WhatsAppSession> {
  const {
    url = platformUrl,
    rootKey,
    mediaCa,
    channels,
    timing,
    images,
    videos,
    downloads,
    log,
    metrics,
    version,
    egressAddress,
  } = options;
  quietLibsignal();
  useNativeCurve();
  installFrameGates();
  surviveRejections((error) => log.debug({ err: error }, "whatsapp listener failed"));
  if (rootKey !== undefined) WA_CERT_DETAILS.PUBLIC_KEY = parseRootKey(rootKey);
  const services: WhatsAppServices = {
    url: new URL(url),
    mediaAgent: new Agent({
      keepAlive: true,
      maxSockets: 50,
      ...localAddress(egressAddress),
      ...(mediaCa === undefined ? {} : { ca: [...rootCertificates, mediaCa] }),
    }),
    channels: { ...defaultChannels, ...channels },
    timing: { ...defaultTiming, ...timing },
    images,
    videos,
    downloads,
    log,
    metrics,
    version,
    egressAddress,
  };
  return {
    platform: "whatsapp",
    open: (context: SessionContext) => new WhatsAppSession(context, services),
    commands: whatsappCommands,
    // The platform itself ends the older of two connections of a device, and the login goes on in the younger.
    dropMs: 0,
  };
}

const platformUrl = "wss://web.whatsapp.com/ws/chat";
const defaultChannels: ChannelQueries = { listId: "6388546374527196", listVariables: {}, pictureHost: "mmg.whatsapp.net" };

function parseRootKey(given: Buffer): Buffer<ArrayBuffer> {
  const key = given.length === 32 ? Buffer.from(given) : Buffer.from(given.toString("ascii"), "base64");
  if (key.length !== 32) throw new Error("the root key must have 32 bytes");
  return key;
}
