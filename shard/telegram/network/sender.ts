import type { Api, TelegramClient } from "telegram";
import { AuthKey } from "telegram/crypto/AuthKey.js";
import { RPCError } from "telegram/errors/index.js";
import { Logger } from "telegram/extensions/index.js";
import { LogLevel } from "telegram/extensions/Logger.js";
import { MTProtoSender, UpdateConnectionState } from "telegram/network/index.js";
import { RequestState } from "telegram/network/RequestState.js";
import type { Ending } from "../../../shared/flow/ending.js";
import { CallTimeout, ConnectionLost, type LossReason } from "./connection-error.js";

export interface SenderOptions {
  readonly dcId: number;
  readonly main: boolean;
  /** 256 bytes; absent: `_connect` makes a new one. */
  readonly key: Buffer | undefined;
  readonly owner: TelegramClient;
  readonly onKey: (key: Buffer) => void;
  readonly onUpdate: (update: Api.TypeUpdates) => void;
}

/**
 * GramJS's connection to one data centre without its reconnects, which would repeat every call without a reply: a story sent twice is
 * posted twice. A loss rejects the calls in flight once, and the session opens a new Sender.
 */
export class Sender extends MTProtoSender {
  // On the prototype: a property that is set by its name makes a dictionary of each object, which takes 2 KiB more.
  static {
    Sender.takeWholeContainers();
    // The library's successor wraps a first call itself, with its own device. `initConnection` has done so already.
    Object.defineProperty(Sender.prototype, "_needsInitConnection", { get: () => false, set: () => undefined });
  }

  /** Why the last attempt to connect failed. */
  failure: unknown;
  /** Resolves once, when the connection is of no more use. */
  readonly lost: Promise<LossReason>;
  private readonly outstanding = new Set<(reason: unknown) => void>();
  private lossOf: LossReason | undefined;
  private resolveLost: (reason: LossReason) => void = () => undefined;

  static async create(options: SenderOptions): Promise<Sender> {
    const key = new AuthKey();
    if (options.key !== undefined) await key.setKey(options.key);
    return new Sender(key, options);
  }

  private constructor(key: AuthKey, options: SenderOptions) {
    super(key, {
      logger: silent,
      dcId: options.dcId,
      // One attempt: its loop cannot be ended from outside, ours can.
      retries: 1,
      reconnectRetries: 0,
      delay: 0,
      autoReconnect: false,
      connectTimeout: null,
      isMainSender: options.main,
      client: options.owner,
      securityChecks: true,
      ...gramJsOnly,
      authKeyCallback: async (made: AuthKey | undefined) => {
        const bytes = made?.getKey();
        if (bytes !== undefined) options.onKey(bytes);
      },
      updateCallback: (_client: TelegramClient, update: Api.TypeUpdates | UpdateConnectionState) => {
        if (!(update instanceof UpdateConnectionState)) options.onUpdate(update);
      },
    });
    Reflect.set(this, "_lastAcks", keptAcks);
    this.lost = new Promise((resolve) => {
      this.resolveLost = resolve;
    });
  }

  get alive(): boolean {
    return this.lossOf === undefined && this._userConnected;
  }

  /**
   * Sends one request and resolves with its result. Rejects with the platform's error, ConnectionLost, CallTimeout after `deadlineMs`, or
   * the signal's reason; the request is then removed, because GramJS would keep it for ever.
   */
  call<R extends Api.AnyRequest>(request: R, deadlineMs: number, signal: Ending): Promise<R["__response"]> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (!this.alive) return Promise.reject(new ConnectionLost(this.lossOf ?? "lost"));
    const state = new RequestState(request);
    const settled = new Promise<R["__response"]>((resolve, reject) => {
      const forget = (reason: unknown): void => {
        if (state.msgId !== undefined) this._pendingState.delete(state.msgId);
        // This also removes the request from the list of the send queue, which watches this promise.
        state.reject(reason);
      };
      const onAbort = (): void => forget(signal.reason);
      const timer = setTimeout(() => forget(new CallTimeout(request.className, deadlineMs)), deadlineMs);
      signal.addEventListener("abort", onAbort, { once: true });
      this.outstanding.add(forget);
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.outstanding.delete(forget);
      };
      state.promise?.then(
        (result) => {
          settle();
          // The TL reader built the result by the schema of this request.
          resolve(result);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
    this.addStateToQueue(state);
    return settled;
  }

  /** Closes the connection and rejects every call in flight. */
  async end(reason: LossReason = "lost"): Promise<void> {
    this.lose(reason);
    this.userDisconnected = true;
    // GramJS's loops check this flag. Its successor derives the flag from the line above.
    Reflect.set(this, "_userConnected", false);
    await this._connection?.disconnect();
  }

  override async _connect(): Promise<void> {
    try {
      await super._connect();
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** GramJS calls this wherever it would reconnect by itself. */
  override reconnect(): void {
    this.endQuietly("lost");
  }

  /** `ofCall` is true when a call was refused: its caller has the error. */
  override _handleBadAuthKey(ofCall = false): void {
    if (!ofCall) this.endQuietly("key-unknown");
  }

  /**
   * GramJS throws the error of a failed call out of its loop over a container, which loses the other calls' results. Its successor does
   * not, and has no such method.
   */
  private static takeWholeContainers(): void {
    const takeMessage: unknown = Reflect.get(MTProtoSender.prototype, "_processMessage");
    if (typeof takeMessage !== "function") return;
    Reflect.set(Sender.prototype, "_processMessage", async function (this: Sender, message: unknown): Promise<void> {
      try {
        await takeMessage.call(this, message);
      } catch (error) {
        if (!(error instanceof RPCError)) throw error;
      }
    });
  }

  /** The library does not wait for the end; users of the connection learn of it through `lost`. */
  private endQuietly(reason: LossReason): void {
    this.end(reason).catch(() => undefined);
  }

  private lose(reason: LossReason): void {
    if (this.lossOf !== undefined) return;
    this.lossOf = reason;
    this.resolveLost(reason);
    for (const reject of [...this.outstanding]) reject(new ConnectionLost(reason));
  }
}

/**
 * GramJS keeps a connection's last nine acknowledgements and never finds them again, because it compares numbers that are objects. Each
 * keeps 8 KiB of Node's pool alive for as long as an idle session lives.
 */
class NoAcks extends Array<RequestState> {
  override push(): number {
    return 0;
  }
}

const keptAcks = new NoAcks();
/** An option that GramJS requires and its successor does not have. */
const gramJsOnly = { _exportedSenderPromises: new Map<number, Promise<MTProtoSender>>() };
const silent = new Logger(LogLevel.NONE);
