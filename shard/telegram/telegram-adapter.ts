// Imported first: it must run before any module that loads the library.
import "./network/fast-integers.js";
import { mediaTimeout } from "../../shared/contract/telegram/errors.js";
import { ChunkSource } from "../files/media/chunk-source.js";
import type { PlatformAdapter } from "../session/platform-adapter.js";
import { telegramCommands } from "./commands/index.js";
import { TelegramConnector } from "./connector.js";
import { installFastCrypto } from "./network/fast-crypto.js";
import { installMessageState } from "./network/message-state.js";
import { createOwner, type DcAddress } from "./network/open-sender.js";
import { addServerKeys } from "./network/server-keys.js";
import { createPictureCache } from "./media/pictures.js";
import { defaultDevice } from "./network/init-connection.js";
import { refusalOf } from "./refusal-kind.js";
import type { TelegramAdapterOptions, TelegramServices } from "./services.js";
import { defaultTiming } from "./timing.js";

/**
 * Creates the adapter of variant B over GramJS. Installs crypto replacements and server keys once per process. Opens no connection until a
 * session runs.
 */
export function createTelegramAdapter(options: TelegramAdapterOptions): PlatformAdapter<"telegram", TelegramConnector> {
  installFastCrypto();
  installMessageState(options.metrics?.onDecrypted);
  addServerKeys(options.serverKeys);
  const { chunks, chunkTurns, ...rest } = options;
  const services: TelegramServices = {
    ...rest,
    owner: createOwner(options.apiId, options.apiHash, (error) => options.log.debug({ err: error }, "telegram connection error")),
    device: options.device ?? defaultDevice,
    startDc: options.startDc ?? defaultStartDc,
    timing: { ...defaultTiming, ...options.timing },
    pictures: createPictureCache(),
    chunkSource: new ChunkSource(chunks, options.metrics?.chunks, mediaTimeout, undefined, chunkTurns),
  };
  return {
    open: (context) => new TelegramConnector(context, services),
    commands: telegramCommands,
    refusalOf,
    onConnectionEnd: (kind) => options.metrics?.onConnectionEnd?.(kind),
    // Counts from the last ping. An owner that is declared dead has sent none for at least 3 s, which is its lease plus the silence that
    // ends it.
    dropMs: services.timing.dropMs,
  };
}

const defaultStartDc: DcAddress = { dcId: 2, address: "149.154.167.51" };
