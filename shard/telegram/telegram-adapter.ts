// Imported first: it must run before any module that loads the library.
import "./network/fast-integers.js";
import { mediaTimeout, platformIsOff } from "../../shared/contract/telegram/errors.js";
import { ChunkSource } from "../files/media/chunk-source.js";
import { refusing, type PlatformAdapter } from "../session/platform-adapter.js";
import { telegramCommands } from "./commands/index.js";
import { TelegramConnector } from "./connector.js";
import { installFastCrypto } from "./network/fast-crypto.js";
import { installMessageState } from "./network/message-state.js";
import { createOwner, type DcAddress } from "./network/open-sender.js";
import { addServerKeys } from "./network/server-keys.js";
import { createPictureCache } from "./media/pictures.js";
import { defaultDevice } from "./network/init-connection.js";
import { refusalOf } from "./refusal-kind.js";
import type { OpenedApp, TelegramAdapterOptions, TelegramServices } from "./services.js";
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
  const app = openApp(options);
  const services: TelegramServices = {
    ...rest,
    app,
    device: options.device ?? defaultDevice,
    startDc: options.startDc ?? defaultStartDc,
    timing: { ...defaultTiming, ...options.timing },
    pictures: createPictureCache(),
    chunkSource: new ChunkSource(chunks, options.metrics?.chunks, mediaTimeout, undefined, chunkTurns),
  };
  return {
    open: (context) => new TelegramConnector(context, services),
    commands: app === undefined ? refusing(telegramCommands, ["create-session", "reset-session"], platformIsOff) : telegramCommands,
    refusalOf,
    onConnectionEnd: (kind) => options.metrics?.onConnectionEnd?.(kind),
    // Counts from the last ping. An owner that is declared dead has sent none for at least 3 s, which is its lease plus the silence that
    // ends it.
    dropMs: services.timing.dropMs,
  };
}

function openApp({ app, log }: TelegramAdapterOptions): OpenedApp | undefined {
  if (app === undefined) {
    log.info({}, "telegram is off: set TELEGRAM_API_ID and TELEGRAM_API_HASH to turn it on");
    return undefined;
  }
  return { ...app, owner: createOwner(app.apiId, app.apiHash, (error) => log.debug({ err: error }, "telegram connection error")) };
}

const defaultStartDc: DcAddress = { dcId: 2, address: "149.154.167.51" };
