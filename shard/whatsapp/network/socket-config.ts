import type { Agent } from "node:https";
import { DEFAULT_CONNECTION_CONFIG, proto, type UserFacingSocketConfig } from "@whiskeysockets/baileys";
import type { ClientOptions } from "../client-options.js";
import type { Browser, ShownDevice } from "../shown-device.js";
import type { KeylessDevices } from "./keyless-devices.js";
import type { MediaTransport } from "./media-transports.js";
import type { ConnectionKeys } from "../keys/connection-keys.js";
import { useSenderKeys } from "../sender-keys/group-cipher.js";
import { paceEncryption } from "./pace-encryption.js";
import { refuseForged } from "./refuse-forged.js";
import type { SessionReader } from "./session-reader.js";
import { silentLogger } from "./silent-logger.js";
import { eachRecipientOnce } from "./unique-recipients.js";

export type OwnConfig = UserFacingSocketConfig & Required<Pick<UserFacingSocketConfig, "browser">>;

/** Of this connection alone. */
interface ConnectionParts {
  readonly keys: ConnectionKeys;
  readonly sessionReader: SessionReader;
  readonly keyless: KeylessDevices;
  /** Returns the people (JIDs) who see the status that is being encrypted. */
  readonly audience: () => readonly string[];
}

/** How the library is set up for one connection, which it dials through `agent`; files come and go by `media`. */
export function toSocketConfig(
  {
    auth,
    services,
    caches,
    group,
    readSent,
    version,
  }: Pick<ClientOptions, "auth" | "services" | "caches" | "group" | "readSent" | "version">,
  agent: Agent,
  media: MediaTransport,
  { keys, sessionReader, keyless, audience }: ConnectionParts,
): OwnConfig {
  const { url } = services;
  return {
    auth: { creds: auth.creds, keys },
    waWebSocketUrl: new URL(url),
    version,
    // The last is the system's version, which no longer goes anywhere.
    browser: [services.device.name, services.device.browser, ""],
    // Not its own: a registration may outlast the codes, see `QrCodes`.
    qrTimeout: longestMs,
    logger: silentLogger,
    makeSignalRepository: (...given) => {
      const repository = useSenderKeys(DEFAULT_CONNECTION_CONFIG.makeSignalRepository(...given), auth.keys.senderKeys, (chat) =>
        caches.departures.hasLeft(chat, audience()),
      );
      return refuseForged(sessionReader.install(keyless.watch(paceEncryption(repository)), given[0].keys), services.log);
    },
    agent,
    fetchAgent: media.agent,
    options: { dispatcher: media.dispatcher },
    // Not its own: it puts a timer, two stack traces and an exception around each frame that is written, a third of what a frame costs. The time
    // until the server's first frame is bounded by `Client`; a write that goes nowhere ends with its connection, which `pingMs` bounds.
    connectTimeoutMs: 0,
    // Not its own, for the same reason, see `boundAnswers`.
    defaultQueryTimeoutMs: 0,
    // Not its own either, see `KeepAlive`.
    keepAliveIntervalMs: longestMs,
    syncFullHistory: false,
    shouldSyncHistoryMessage: ({ syncType }) => syncType !== null && syncType !== undefined && neededHistory.has(syncType),
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    fireInitQueries: false,
    generateHighQualityLinkPreview: false,
    enableRecentMessageCache: false,
    getMessage: readSent,
    patchMessageBeforeSending: eachRecipientOnce,
    cachedGroupMetadata: group,
    userDevicesCache: caches.devices,
    msgRetryCounterCache: caches.counters,
    placeholderResendCache: caches.counters,
    callOfferCache: caches.counters,
  };
}

const { HistorySyncType } = proto.HistorySync;
/** Parts of a phone's history that are read for anonymous ids, chats and settings. The other parts are messages, and large. */
const neededHistory: ReadonlySet<number> = new Set([
  HistorySyncType.INITIAL_BOOTSTRAP,
  HistorySyncType.PUSH_NAME,
  HistorySyncType.NON_BLOCKING_DATA,
]);

/** The longest that a timer may be. */
const longestMs = 2 ** 31 - 1;

/** As what the library registers a browser. */
export function platformType({ browser }: ShownDevice): number {
  return types[browser];
}

const { PlatformType } = proto.DeviceProps;
const types: Readonly<Record<Browser, number>> = {
  Chrome: PlatformType.CHROME,
  Edge: PlatformType.EDGE,
  Firefox: PlatformType.FIREFOX,
  Opera: PlatformType.OPERA,
  Safari: PlatformType.SAFARI,
};
