import { DEFAULT_CONNECTION_CONFIG, WA_CERT_DETAILS } from "@whiskeysockets/baileys";
import { mediaTimeout } from "../../shared/contract/whatsapp/errors.js";
import { ChunkSource } from "../files/media/chunk-source.js";
import type { PlatformAdapter } from "../session/platform-adapter.js";
import { whatsappCommands } from "./commands/index.js";
import { WhatsAppConnector } from "./connector.js";
import { defaultDevice } from "./shown-device.js";
import { WholeChecks } from "./media/whole-checks.js";
import { MediaTransports } from "./network/media-transports.js";
import { installPublicKeyCrypto } from "./network/public-key-crypto.js";
import { quietLibsignal } from "./network/quiet-libsignal.js";
import { installMutationDecoders } from "./network/app-state-mutations.js";
import { reportHistorySettings } from "./network/history-settings.js";
import { installRelayedEncoding } from "./network/relayed-message.js";
import { surviveRejections } from "./network/survive-rejections.js";
import { refusalOf } from "./refusal-kind.js";
import type { ChannelQueries, WhatsAppAdapterOptions, WhatsAppServices } from "./services.js";
import { defaultTiming } from "./timing.js";
import type { VersionPort } from "./version/client-versions.js";
import type { ClientVersion } from "./version/parse-version.js";

/**
 * Returns the adapter of variant A over Baileys. It changes libsignal's logging and curve and sets the root key for the whole process; it
 * connects only when a session runs.
 */
export function createWhatsAppAdapter(options: WhatsAppAdapterOptions): PlatformAdapter<"whatsapp", WhatsAppConnector> {
  const {
    url = platformUrl,
    rootKey,
    mediaCa,
    channels,
    timing,
    images,
    videos,
    downloads,
    links,
    refs,
    media,
    log,
    metrics,
    versions = fixedVersion,
    device = defaultDevice,
    egress,
    incoming,
  } = options;
  quietLibsignal();
  installPublicKeyCrypto();
  installRelayedEncoding();
  installMutationDecoders();
  reportHistorySettings();
  surviveRejections((error) => log.debug({ err: error }, "whatsapp listener failed"));
  if (rootKey !== undefined) WA_CERT_DETAILS.PUBLIC_KEY = parseRootKey(rootKey);
  const services: WhatsAppServices = {
    url: new URL(url),
    egress,
    ...(incoming === undefined ? {} : { incoming }),
    mediaTransports: new MediaTransports(mediaCa),
    channels: { ...defaultChannels, ...channels },
    timing: { ...defaultTiming, ...timing },
    images,
    videos,
    downloads,
    links,
    refs,
    media: {
      ...media,
      wholeChecks: new WholeChecks(),
      chunkSource: new ChunkSource(media.chunks, metrics?.chunks, () => mediaTimeout(), undefined, media.turns),
    },
    log,
    ...(metrics === undefined ? {} : { metrics }),
    versions,
    device,
  };
  return {
    open: (context) => new WhatsAppConnector(context, services),
    commands: whatsappCommands,
    refusalOf,
    onConnectionEnd: (kind) => metrics?.onConnectionEnd?.(kind),
    // The platform itself ends the older of two connections of a device, and the newer one continues.
    dropMs: 0,
  };
}

/** The version that the library was written and tested with. */
export const libraryVersion: ClientVersion = DEFAULT_CONNECTION_CONFIG.version;
const fixedVersion: VersionPort = { current: () => Promise.resolve(libraryVersion), refused: () => Promise.resolve(false) };

const platformUrl = "wss://web.whatsapp.com/ws/chat";
const defaultChannels: ChannelQueries = { listId: "6388546374527196", listVariables: {}, pictureHost: "mmg.whatsapp.net" };

function parseRootKey(given: Buffer): Buffer<ArrayBuffer> {
  const key = given.length === 32 ? Buffer.from(given) : Buffer.from(given.toString("ascii"), "base64");
  if (key.length !== 32) throw new Error("the root key must have 32 bytes");
  return key;
}
