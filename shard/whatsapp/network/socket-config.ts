import type { Agent } from "node:https";
import { DEFAULT_CONNECTION_CONFIG, proto, type UserFacingSocketConfig } from "@whiskeysockets/baileys";
import type { ClientOptions } from "../client-options.js";
import type { Browser, ShownDevice } from "../shown-device.js";
import type { KeylessDevices } from "./keyless-devices.js";
import type { MediaTransport } from "./media-transports.js";
import { type CiphertextStanzas, keepMessages } from "../events/keep-messages.js";
import type { ConnectionKeys } from "../keys/connection-keys.js";
import type { KeyTransactions } from "../keys/key-transactions.js";
import { useSenderKeys } from "../sender-keys/group-cipher.js";
import { paceEncryption } from "./pace-encryption.js";
import { refuseForged } from "./refuse-forged.js";
import type { SignalSessions } from "../signal-sessions/signal-sessions.js";
import { useSignalSessions } from "../signal-sessions/use-signal-sessions.js";
import type { SessionReader } from "./session-reader.js";
import { silentLogger } from "./silent-logger.js";
import { eachRecipientOnce } from "./unique-recipients.js";

export type OwnConfig = UserFacingSocketConfig & Required<Pick<UserFacingSocketConfig, "browser">>;

/** Parts that belong to one connection. */
interface ConnectionParts {
  readonly keys: ConnectionKeys;
  readonly sessions: SignalSessions;
  readonly sessionReader: SessionReader;
  readonly keyless: KeylessDevices;
  readonly transactions: KeyTransactions;
  /** The messages that are about to be decrypted. */
  readonly stanzas: CiphertextStanzas;
  /** Returns the people (JIDs) who see the status that is being encrypted. */
  readonly audience: () => readonly string[];
}

/** Returns the library's configuration for one connection. It dials through `agent` and transfers files through `media`. */
export function toSocketConfig(
  {
    auth,
    services,
    caches,
    group,
    readSent,
    version,
    incoming,
  }: Pick<ClientOptions, "auth" | "services" | "caches" | "group" | "readSent" | "version" | "incoming">,
  agent: Agent,
  media: MediaTransport,
  { keys, sessions, transactions, stanzas, sessionReader, keyless, audience }: ConnectionParts,
): OwnConfig {
  const { url } = services;
  return {
    auth: { creds: auth.creds, keys },
    waWebSocketUrl: new URL(url),
    version,
    // The third value is the system's version, which is no longer sent.
    browser: [services.device.name, services.device.browser, ""],
    // Disabled: a registration may outlast its codes, see `QrCodes`.
    qrTimeout: longestMs,
    logger: silentLogger,
    makeSignalRepository: (...given) => {
      const grouped = useSenderKeys(DEFAULT_CONNECTION_CONFIG.makeSignalRepository(...given), auth.keys.senderKeys, (chat) =>
        caches.departures.hasLeft(chat, audience()),
      );
      const repository = useSignalSessions(grouped, sessions);
      const checked = refuseForged(sessionReader.install(keyless.watch(paceEncryption(repository)), sessions), services.log);
      return keepMessages(checked, stanzas, incoming, transactions);
    },
    agent,
    fetchAgent: media.agent,
    options: { dispatcher: media.dispatcher },
    // Disabled: the library's write timeout is a third of a frame's cost. `Client` limits the time to the first frame, and `pingMs`
    // detects a dead connection.
    connectTimeoutMs: 0,
    // Disabled for the same reason, see `boundQueries`.
    defaultQueryTimeoutMs: 0,
    // Disabled, see `KeepAlive`.
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
/** The parts of a phone's history with anonymous ids, chats and settings. The other parts are messages, and large. */
const neededHistory: ReadonlySet<number> = new Set([
  HistorySyncType.INITIAL_BOOTSTRAP,
  HistorySyncType.PUSH_NAME,
  HistorySyncType.NON_BLOCKING_DATA,
]);

/** The longest delay that a timer accepts. */
const longestMs = 2 ** 31 - 1;

/** Returns the platform type that the library registers for a browser. */
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
