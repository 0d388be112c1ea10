/**
 * The boundary between the wire protocol (`protocol/`) and the model of the platform (`world/`, `rpc/`). The protocol decodes a request,
 * calls the method of its `className` ("auth.ExportLoginToken"), and serialises the result.
 */
import type { Api } from "telegram";

/** One authorisation key of a client: a device on the real platform, or a data centre's part of one. */
/** The fields of `initConnection`, which the account's owner sees in the list of devices. */
export interface ClientInfo {
  readonly deviceModel: string;
  readonly systemVersion: string;
  readonly appVersion: string;
}

export interface AuthKey {
  /** The 8-byte key id in unsigned decimal. */
  readonly id: string;
  readonly dcId: number;
  readonly authKey: Buffer;
  salt: bigint;
  /** Set by `initConnection`. A key without it gets 400 CONNECTION_NOT_INITED. */
  initialised: boolean;
  client: ClientInfo | undefined;
  layer: number;
  /** The account that this key is logged in to. */
  account: string | undefined;
  /** The account whose password this key must still prove. */
  pendingAccount: string | undefined;
  /** The account whose phone scanned this key's login token. The next exportLoginToken logs it in. */
  scannedAccount: string | undefined;
  /** Name of the 401 error that this key gets once it is logged out or revoked. */
  revoked: string | undefined;
  /** False for a key that auth.importAuthorization authorised on a foreign data centre. */
  home: boolean;
  /** True once a second owner made the platform destroy the key. Every call then gets 406 AUTH_KEY_DUPLICATED. */
  duplicated: boolean;
  readonly connections: Set<RpcConnection>;
}

/** One live TCP connection. */
export interface RpcConnection {
  readonly dcId: number;
  /** The client's address. Two addresses on one key mean two owners. */
  readonly remoteAddress: string;
  readonly openedAt: number;
  key: AuthKey | undefined;
  /**
   * True once the connection carried more than file parts, their authorisation on a foreign data centre, and pings. It stays false for a
   * media connection.
   */
  main: boolean;
  /** Sends an update with its own message id. */
  push(update: Api.TypeUpdates): void;
  destroy(): void;
}

/** An error that the client receives as `rpc_error`. */
export class RpcFault extends Error {
  constructor(
    readonly code: number,
    readonly errorName: string,
  ) {
    super(`${code}: ${errorName}`);
  }
}

export interface RpcContext {
  readonly key: AuthKey;
  readonly connection: RpcConnection;
  readonly dcId: number;
}

/** Serialised bytes, a TL object, an array (a `Vector` in TL), a boolean, or `noAnswer`. */
export type RpcAnswer = { getBytes(): Buffer } | readonly { getBytes(): Buffer }[] | Buffer | boolean | typeof noAnswer;

/** The request gets no response, as from a silent server. */
export const noAnswer: unique symbol = Symbol("no answer");

export interface RpcMethod {
  /** Allowed before login. */
  readonly open?: boolean;
  handle(request: never, context: RpcContext): RpcAnswer | Promise<RpcAnswer>;
}

/** The functions of the model that the protocol calls. */
export interface RpcBackend {
  readonly methods: ReadonlyMap<string, RpcMethod>;
  /** Runs before each method for the control API's faults. It may throw an `RpcFault`, wait, or return `noAnswer`. */
  intercept(className: string, request: unknown, context: RpcContext): Promise<typeof noAnswer | undefined>;
  /** Called when a key or its connections change, for storage, `GET /connections` and `GET /overlaps`. */
  onKeyChanged(key: AuthKey): void;
  onConnectionChanged(connection: RpcConnection, open: boolean): void;
  /**
   * Called once when a key has main connections from two addresses (two owners) and the platform destroys it: the key is `duplicated`, and
   * its connections get 406 and are closed.
   */
  onOverlap?(key: AuthKey, addresses: readonly string[]): void;
  /** Runs before each pong for the control API's faults. It may wait, or return `noAnswer` to stay silent. */
  interceptPing?(connection: RpcConnection): Promise<typeof noAnswer | undefined>;
  /** May reject a new TCP connection (fault `refuse`). */
  acceptsConnection(dcId: number, remoteAddress: string): boolean;
}
