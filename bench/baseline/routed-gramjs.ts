// The only import of the library outside shard/telegram: a baseline of the adapter must not use the adapter.
import { TelegramClient } from "telegram";
import { LogLevel } from "telegram/extensions/Logger.js";
import { Logger, PromisedNetSockets } from "telegram/extensions/index.js";
import type { StringSession } from "telegram/sessions/index.js";

/** Returns a client of the library as installed, not connected, whose data centres are those of a sandbox. */
export function routedClient(session: StringSession, firstDcPort: number): TelegramClient {
  /** The library's own socket with the real addresses of the data centres, because the library has no option for their port. */
  class RoutedSocket extends PromisedNetSockets {
    override async connect(_port: number, ip: string): Promise<unknown> {
      return await super.connect(firstDcPort + Number(ip.split(".").at(-1)) - 1, "127.0.0.1");
    }
  }
  const made = new TelegramClient(session, apiId, "0123456789abcdef0123456789abcdef", {
    networkSocket: RoutedSocket,
    baseLogger: new Logger(LogLevel.NONE),
    connectionRetries: 2,
  });
  made.onError = async () => undefined;
  return made;
}

/** The id of an application that the sandbox accepts. */
export const apiId = 12_345;
