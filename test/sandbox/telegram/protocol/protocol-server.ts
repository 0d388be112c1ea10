/**
 * The wire protocol of Telegram on this machine: several data centres with one RSA key and one key store. It covers everything between TCP
 * and a method; the backend implements the methods.
 */
import type { AuthKey, RpcBackend } from "../rpc.js";
import type { StoredKey } from "./auth-key.js";
import { DiffieHellman } from "./crypto/diffie-hellman.js";
import { type PublicRsaKey, ServerRsa } from "./crypto/server-rsa.js";
import { DataCentre, type DataCentreAddress } from "./data-centre.js";
import { KeyStore } from "./key-store.js";
import { MessageIds } from "./messages/message-id.js";
import { MessageLayer } from "./messages/message-layer.js";
import type { ProtocolLog } from "./protocol-log.js";
import { RpcDispatcher } from "./messages/rpc-dispatcher.js";

export interface ProtocolServerOptions {
  /** PEM file of the RSA key, created if it is missing. */
  readonly rsaPemPath: string;
  readonly dcs: readonly DataCentreAddress[];
  readonly backend: RpcBackend;
  readonly log: ProtocolLog;
  /** A fixed secret exponent of 256 bytes for all key exchanges, which saves 2 ms per exchange in load tests. */
  readonly fixedExponent?: Buffer;
}

export class TelegramProtocolServer {
  /** The key that clients need to trust this server. */
  readonly publicKey: PublicRsaKey;
  /** The same key as PKCS#1 PEM. */
  readonly publicPem: string;
  private readonly store = new KeyStore();
  private readonly ids = new MessageIds();
  private readonly dispatcher: RpcDispatcher;
  private readonly centres: readonly DataCentre[];

  constructor(options: ProtocolServerOptions) {
    const { backend, log } = options;
    const { store: keys, ids } = this;
    const rsa = ServerRsa.open(options.rsaPemPath);
    this.publicKey = rsa.publicKey;
    this.publicPem = rsa.publicPem;
    this.dispatcher = new RpcDispatcher(backend, log);
    const layer = new MessageLayer({ keys, ids, backend, dispatcher: this.dispatcher, log });
    const diffieHellman = new DiffieHellman(options.fixedExponent);
    const host = {
      exchange: { rsa, diffieHellman, keys, seconds: () => ids.seconds(), onKey: (key: AuthKey) => backend.onKeyChanged(key) },
      ids,
      log,
      receive: layer.receive.bind(layer),
      pushTo: layer.push.bind(layer),
    };
    this.centres = options.dcs.map((address) => new DataCentre(address, host, backend));
  }

  get keys(): ReadonlyMap<string, AuthKey> {
    return this.store.keys;
  }

  /** The bound address of each data centre. */
  get addresses(): readonly DataCentreAddress[] {
    return this.centres.map((centre) => centre.address);
  }

  /** Milliseconds by which the data centres' clocks are ahead of the machine's. */
  set clockOffsetMs(offsetMs: number) {
    this.ids.shiftClock(offsetMs);
  }

  /** Packs results of 512 bytes to 64 KiB. */
  set packResults(on: boolean) {
    this.dispatcher.packResults = on;
  }

  async start(): Promise<void> {
    try {
      for (const centre of this.centres) await centre.start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.centres.map((centre) => centre.stop()));
  }

  exportKeys(): StoredKey[] {
    return this.store.export();
  }

  /** Throws a TypeError when a stored key is malformed. */
  importKeys(stored: readonly StoredKey[]): void {
    this.store.import(stored);
  }

  /** Removes a key. Clients that still use it get transport error 404. */
  dropKey(id: string): boolean {
    return this.store.drop(id);
  }

  /** Replaces the key's salt. Messages with another salt are rejected with the new one. */
  rotateSalt(id: string): void {
    this.store.get(id)?.rotateSalt();
  }
}
