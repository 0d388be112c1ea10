import { Api } from "telegram";
import type { PromisedNetSockets } from "telegram/extensions/index.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { CallOptions, ClientOptions } from "./client-options.js";
import { waitingOutFloods } from "./flood-wait.js";
import { CallTimeout, ConnectionLost, type LossReason } from "./network/connection-error.js";
import { fencedSocketClass } from "./network/fenced-socket.js";
import { initConnection } from "./network/init-connection.js";
import { type DcAddress, openSender } from "./network/open-sender.js";
import type { Sender } from "./network/sender.js";
import { randomLong } from "./network/random-long.js";
import type { TelegramTiming } from "./timing.js";
import { MediaSenders } from "./media/media-senders.js";

/**
 * One connection of the account to its home data centre, with its media connections. It never reconnects: after a loss the session opens
 * another Client.
 */
export class Client {
  /** Difference between the server's clock and the local clock, in seconds. */
  readonly clockOffsetSeconds: number;
  readonly media: MediaSenders;
  /** Addresses by the number of the data centre: the rest of the platform's configuration would take 7 KiB for each account. */
  private readonly dataCentres: ReadonlyMap<number, string>;

  /** Opens a connection. Rejects with ConnectionLost or the signal's reason, and then leaves no socket open. */
  static async open(options: ClientOptions, signal: Ending): Promise<Client> {
    const closing = new AbortScope();
    const socket = fencedSocketClass({
      fence: options.fence,
      dcMap: options.dcMap,
      route: options.route,
      connectMs: options.timing.connectMs,
      signal: closing,
      ...(options.onSocket ? { onSocket: options.onSocket } : {}),
      ...(options.onBytes ? { onBytes: options.onBytes } : {}),
    });
    const { auth, timing } = options;
    try {
      const sender = await openSender(
        auth.home,
        socket,
        {
          main: true,
          key: auth.key(auth.home.dcId),
          owner: options.owner,
          onKey: (key) => auth.setKey(auth.home.dcId, key),
          onUpdate: options.onUpdate,
        },
        timing.openMs,
        signal,
      );
      try {
        // The ping comes first, so that the platform drops this connection if this process stops. Its result is ignored: the next call
        // shows whether the connection works.
        ping(sender, timing, signal).catch(() => undefined);
        const config = await sender.call(initConnection(options.apiId, options.device, new Api.help.GetConfig()), timing.openMs, signal);
        if (!(config instanceof Api.Config)) throw new ConnectionLost("lost", new Error("help.getConfig was answered by something else"));
        return new Client(options, sender, socket, config, closing);
      } catch (error) {
        await sender.end();
        throw error;
      }
    } catch (error) {
      closing.abort(error);
      throw error;
    }
  }

  private constructor(
    private readonly options: ClientOptions,
    private readonly main: Sender,
    socket: typeof PromisedNetSockets,
    config: Api.Config,
    private readonly closing: AbortScope,
  ) {
    this.clockOffsetSeconds = config.date - Date.now() / 1000;
    this.dataCentres = usableDataCentres(config);
    this.media = new MediaSenders({ client: this, clientOptions: options, socket, signal: closing });
  }

  get alive(): boolean {
    return this.main.alive && !this.closing.aborted;
  }

  get homeDcId(): number {
    return this.options.auth.home.dcId;
  }

  /** Resolves once, when the connection can no longer be used; also after `close`. */
  get lost(): Promise<LossReason> {
    return this.main.lost;
  }

  /**
   * Calls a method on the home data centre. Waits out short flood waits and retries after faults of the platform, within the deadline.
   * Accepts only Input objects: it resolves no names.
   */
  async invoke<R extends Api.AnyRequest>(
    request: R,
    { signal, deadlineMs = this.options.timing.callMs, leftMs, repeatable = true, waitOutFloods = true, again }: CallOptions,
  ): Promise<R["__response"]> {
    const deadlineAt = performance.now() + (leftMs?.() ?? deadlineMs);
    const once = (): Promise<R["__response"]> =>
      this.callAgain(request, Math.min(deadlineAt, performance.now() + deadlineMs), again, signal);
    // A fault that lasts longer than the time for a reply lets the next command begin, as a missing reply does.
    const onTrouble = (sinceMs: number): void => {
      if (again !== undefined && sinceMs >= again.afterMs) again.onRepeat();
    };
    const reply = waitingOutFloods(once, { deadlineAt, signal, repeatable, waitOutFloods, onFlood: this.options.onFlood, onTrouble });
    this.options.onCall(request, reply);
    return reply;
  }

  /** GramJS resends nothing on a living connection, so without this a call whose reply was lost would wait until its deadline. */
  private async callAgain<R extends Api.AnyRequest>(
    request: R,
    deadlineAt: number,
    again: CallOptions["again"],
    signal: Ending,
  ): Promise<R["__response"]> {
    for (let waitMs = again?.afterMs ?? Number.POSITIVE_INFINITY; ; waitMs *= 2) {
      const leftMs = Math.max(1, deadlineAt - performance.now());
      try {
        return await this.main.call(request, Math.min(waitMs, leftMs), signal);
      } catch (error) {
        // A ping detects a connection that a firewall has dropped silently.
        if (error instanceof CallTimeout) this.options.onDoubt();
        if (again === undefined || !(error instanceof CallTimeout) || leftMs <= waitMs) throw error;
        again.onRepeat();
      }
    }
  }

  /** Sends a ping and resolves with the server's reply. */
  ping(signal: Ending): Promise<void> {
    return ping(this.main, this.options.timing, signal);
  }

  /** Returns the address of a data centre. Rejects with an Error when the platform lists none. */
  addressOf(dcId: number): DcAddress {
    const address = this.dataCentres.get(dcId);
    if (address === undefined) throw new Error(`the platform names no address of data centre ${dcId}`);
    return { dcId, address };
  }

  /** Closes all sockets and rejects all calls in flight. Idempotent. */
  async close(): Promise<void> {
    // First, or a media connection that is still being made would be waited for.
    this.closing.abort(new ConnectionLost("lost"));
    await Promise.all([this.main.end(), this.media.close()]);
  }
}

/** Returns the addresses by data centre: the first usable one of each. */
function usableDataCentres({ dcOptions }: Api.Config): ReadonlyMap<number, string> {
  const usable = dcOptions.filter((dc) => dc.ipv6 !== true && dc.cdn !== true && dc.tcpoOnly !== true && dc.mediaOnly !== true);
  return new Map(usable.reverse().map(({ id, ipAddress }) => [id, ipAddress]));
}

/** Sends a ping, and requests that the server drop the connection if no further ping arrives within `dropMs`. */
async function ping(sender: Sender, { dropMs, pongMs }: TelegramTiming, signal: Ending): Promise<void> {
  await sender.call(new Api.PingDelayDisconnect({ pingId: randomLong(), disconnectDelay: Math.ceil(dropMs / 1_000) }), pongMs, signal);
}
