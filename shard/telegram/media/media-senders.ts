import { Api } from "telegram";
import { RPCError } from "telegram/errors/index.js";
import type { PromisedNetSockets } from "telegram/extensions/index.js";
import type { Ending } from "../../../shared/flow/ending.js";
import { untilAborted } from "../../../shared/flow/abort-scope.js";
import type { CallOptions, ClientOptions } from "../client-options.js";
import { errorName } from "../errors.js";
import { ConnectionLost, DataCentreRefused } from "../network/connection-error.js";
import { initConnection } from "../network/init-connection.js";
import { type DcAddress, openSender } from "../network/open-sender.js";
import type { Sender } from "../network/sender.js";

/** The account's connection to its home data centre. */
interface HomeConnection {
  invoke<R extends Api.AnyRequest>(request: R, options: CallOptions): Promise<R["__response"]>;
  addressOf(dcId: number): DcAddress;
}

export interface MediaSendersOptions {
  readonly client: HomeConnection;
  readonly clientOptions: ClientOptions;
  readonly socket: typeof PromisedNetSockets;
  readonly signal: Ending;
}

interface Entry {
  readonly opening: Promise<Sender>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Connections for file parts, one per data centre, opened on demand and closed after 30 s without work. The home data centre has one too,
 * so that files never delay calls.
 */
export class MediaSenders {
  private readonly entries = new Map<number, Entry>();

  constructor(private readonly options: MediaSendersOptions) {}

  /**
   * Runs one exchange on a connection to the data centre. If that refuses our key, drops the key and runs the exchange once more with a
   * new one, so that a failed first authorisation is not permanent.
   */
  async use<T>(dcId: number, signal: Ending, run: (sender: Sender) => Promise<T>): Promise<T> {
    const { auth, onDoubt } = this.options.clientOptions;
    try {
      return await this.useOnce(dcId, signal, run);
    } catch (error) {
      if (dcId === auth.home.dcId || signal.aborted || !isRefusal(error)) throw error;
    }
    this.drop(dcId);
    auth.setKey(dcId, undefined);
    try {
      return await this.useOnce(dcId, signal, run);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The whole login may be gone; the home data centre knows.
      onDoubt();
      throw new DataCentreRefused(dcId, error);
    }
  }

  async close(): Promise<void> {
    const entries = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(entries.map((entry) => end(entry)));
  }

  private async useOnce<T>(dcId: number, signal: Ending, run: (sender: Sender) => Promise<T>): Promise<T> {
    const entry = this.entry(dcId);
    entry.users++;
    clearTimeout(entry.idle);
    try {
      return await run(await untilAborted(entry.opening, signal));
    } finally {
      entry.users--;
      if (entry.users === 0 && this.entries.get(dcId) === entry)
        entry.idle = setTimeout(() => this.drop(dcId), this.options.clientOptions.timing.mediaIdleMs);
    }
  }

  private entry(dcId: number): Entry {
    const existing = this.entries.get(dcId);
    if (existing !== undefined) return existing;
    const entry: Entry = { opening: this.open(dcId), users: 0, idle: undefined };
    this.entries.set(dcId, entry);
    const forget = (): void => {
      if (this.entries.get(dcId) === entry) this.entries.delete(dcId);
      clearTimeout(entry.idle);
    };
    // The next use opens a new connection after one that failed or was lost.
    entry.opening.then((sender) => sender.lost.then(forget), forget);
    return entry;
  }

  private async open(dcId: number): Promise<Sender> {
    const { client, clientOptions, socket, signal } = this.options;
    const { auth, timing, owner, apiId, device } = clientOptions;
    signal.throwIfAborted();
    const home = dcId === auth.home.dcId;
    const key = auth.key(dcId);
    // The key is kept only after the authorisation has succeeded.
    let made: Buffer | undefined;
    const address = home ? auth.home : client.addressOf(dcId);
    const sender = await openSender(
      address,
      socket,
      { main: false, key, owner, onKey: (bytes) => (made = bytes), onUpdate: () => undefined },
      timing.openMs,
      signal,
    );
    if (made === undefined) return sender;
    try {
      const exported = await client.invoke(new Api.auth.ExportAuthorization({ dcId }), { signal });
      await sender.call(
        initConnection(apiId, device, new Api.auth.ImportAuthorization({ id: exported.id, bytes: exported.bytes })),
        timing.callMs,
        signal,
      );
      auth.setKey(dcId, made);
      return sender;
    } catch (error) {
      await sender.end();
      throw error;
    }
  }

  private drop(dcId: number): void {
    const entry = this.entries.get(dcId);
    if (entry === undefined) return;
    this.entries.delete(dcId);
    void end(entry);
  }
}

function isRefusal(error: unknown): boolean {
  if (error instanceof ConnectionLost) return error.reason === "key-unknown";
  return (error instanceof RPCError && error.code === 401) || errorName(error) === "CONNECTION_NOT_INITED";
}

async function end(entry: Entry): Promise<void> {
  clearTimeout(entry.idle);
  try {
    const sender = await entry.opening;
    await sender.end();
  } catch {
    // It never opened, so there is nothing to end. Its users got the error.
  }
}
