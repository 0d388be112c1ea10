/**
 * The wire protocol of a Telegram installation on this machine: several data centres that share one RSA key and one store of authorisation keys.
 * What the methods do is the backend's; everything between TCP and a method is here.
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
  /** PEM file of the RSA key; written if it does not exist. */
  readonly rsaPemPath: string;
  readonly dcs: readonly DataCentreAddress[];
  readonly backend: RpcBackend;
  readonly log: ProtocolLog;
  /** Secret exponent for all key exchanges instead of a random one each: saves 2 ms per exchange in load runs. 256 bytes. */
  readonly fixedExponent?: Buffer;
}

export class TelegramProtocolServer {
  /** What clients have to be given to trust this server. */
  readonly publicKey: PublicRsaKey;
  /** The same as PKCS#1 PEM. */
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

  /** All keys by their ids. */
  get keys(): ReadonlyMap<string, AuthKey> {
    return this.store.keys;
  }

  /** Where each data centre listens. */
  get addresses(): readonly DataCentreAddress[] {
    return this.centres.map((centre) => centre.address);
  }

  /** Milliseconds by which the data centres' clocks are ahead of the machine's. */
  set clockOffsetMs(offsetMs: number) {
    this.ids.shiftClock(offsetMs);
  }

  /** Sends results of 512 bytes to 64 KiB packed. */
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

  /** Forgets a key: whoever still uses it gets transport error 404. */
  dropKey(id: string): boolean {
    return this.store.drop(id);
  }

  /** Makes the key's clients fetch a new salt: what they send with another one is refused, with the new salt. */
  rotateSalt(id: string): void {
    this.store.get(id)?.rotateSalt();
  }
}
