import bigInt from "big-integer";
import { TelegramClient } from "telegram";
import { _serverKeys as serverKeys } from "telegram/crypto/RSA.js";
import type { TelegramClientParams } from "telegram/client/telegramBaseClient.js";
import { LogLevel } from "telegram/extensions/Logger.js";
import { Logger, PromisedNetSockets } from "telegram/extensions/index.js";
import { StringSession } from "telegram/sessions/index.js";
import type { TelegramProtocolServer } from "../../../telegram/protocol/protocol-server.js";

/** Returns the unmodified client with the server's key and a socket class that maps the data centres to real ports. */
export function gramClient(
  server: TelegramProtocolServer,
  options: Partial<TelegramClientParams> = {},
  session = new StringSession(""),
): TelegramClient {
  const { n, e, fingerprint } = server.publicKey;
  serverKeys.set(fingerprint, { n: bigInt(n), e });
  const { addresses } = server;
  class RoutedSocket extends PromisedNetSockets {
    override async connect(port: number, ip: string): Promise<unknown> {
      const home = addresses.find(({ id }) => ip === virtualAddress(id));
      return await super.connect(home?.port ?? port, home?.host ?? ip);
    }
  }
  if (!session.serverAddress) session.setDC(1, virtualAddress(1), 80);
  const client = new TelegramClient(session, 12_345, "0123456789abcdef0123456789abcdef", {
    networkSocket: RoutedSocket,
    baseLogger: new Logger(LogLevel.NONE),
    connectionRetries: 2,
    ...options,
  });
  client.onError = async () => {};
  return client;
}

/** Returns the address that a session stores for a data centre. */
export function virtualAddress(dcId: number): string {
  return `149.154.0.${dcId}`;
}
