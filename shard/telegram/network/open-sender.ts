import { TelegramClient } from "telegram";
import { SecurityError } from "telegram/errors/index.js";
import { Logger, type PromisedNetSockets } from "telegram/extensions/index.js";
import { LogLevel } from "telegram/extensions/Logger.js";
import { MemorySession } from "telegram/sessions/index.js";
import type { Ending } from "../../../shared/flow/ending.js";
import { ConnectionLost } from "./connection-error.js";
import { FullConnection } from "./full-connection.js";
import { Sender, type SenderOptions } from "./sender.js";

export interface DcAddress {
  readonly dcId: number;
  readonly address: string;
}

/**
 * Opens a connection to a data centre and agrees on a key when there is none. Rejects if that takes longer than `openMs`, or with the
 * signal's reason.
 */
export async function openSender(
  dc: DcAddress,
  socket: typeof PromisedNetSockets,
  options: Omit<SenderOptions, "dcId">,
  openMs: number,
  signal: Ending,
): Promise<Sender> {
  for (let attempt = 1; ; attempt++) {
    const sender = await Sender.create({ ...options, dcId: dc.dcId });
    try {
      await connectSender(sender, dc, socket, openMs, signal);
      return sender;
    } catch (error) {
      await sender.end();
      signal.throwIfAborted();
      // One new key in 256 begins with a zero byte, which GramJS does not pad, so the server rightly refuses it.
      if (!(error instanceof SecurityError) || attempt === keyAttempts) throw new ConnectionLost("lost", error);
    }
  }
}

/** Returns a client that never connects. MTProtoSender requires one, but uses only its error handler. */
export function createOwner(apiId: number, apiHash: string, onError: (error: Error) => void): TelegramClient {
  const owner = new TelegramClient(new MemorySession(), apiId, apiHash, { baseLogger: new Logger(LogLevel.NONE) });
  owner.onError = async (error) => onError(error);
  return owner;
}

const keyAttempts = 3;

async function connectSender(
  sender: Sender,
  dc: DcAddress,
  socket: typeof PromisedNetSockets,
  openMs: number,
  signal: Ending,
): Promise<void> {
  const connection = new FullConnection({
    ip: dc.address,
    port: dcPort,
    dcId: dc.dcId,
    loggers: new Logger(LogLevel.NONE),
    socket,
    testServers: false,
  });
  await new Promise<void>((resolve, reject) => {
    const giveUp = (reason: unknown): void => {
      // Ends a handshake without a reply. A socket that is still connecting has its own deadline.
      sender
        .end()
        .finally(() => connection.socket.close())
        .catch(() => undefined);
      reject(reason);
    };
    const timer = setTimeout(() => giveUp(new Error(`no connection within ${openMs} ms`)), openMs);
    const onAbort = (): void => giveUp(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    sender
      .connect(connection, false)
      .then((connected) => {
        if (connected && sender.alive) return;
        const failure: unknown = sender.failure ?? new Error("connection is closed");
        throw failure;
      })
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      });
  });
}

const dcPort = 443;
