/**
 * The seam between the sandbox's wire protocol (`protocol/`) and its model of the platform (`world/`, `rpc/`).
 * The protocol decodes a request into the TL class of GramJS and calls the method registered under its `className`
 * ("auth.ExportLoginToken"); what the method returns is serialised into the `rpc_result`.
 */
import type { Api } from "telegram";

/** One authorisation key of a client: what the real platform calls a device, or a data centre's part of one. */
/** What `initConnection` says of a client, and the account's owner reads in the list of devices. */
export interface ClientInfo {
  readonly deviceModel: string;
  readonly systemVersion: string;
  readonly appVersion: string;
}

export interface AuthKey {
  /** Unsigned decimal form of the 8-byte key id. */
  readonly id: string;
  readonly dcId: number;
  readonly authKey: Buffer;
  salt: bigint;
  /** Set by `initConnection`; a key that never sent one is answered 400 CONNECTION_NOT_INITED. */
  initialised: boolean;
  client: ClientInfo | undefined;
  layer: number;
  /** Account that this key is logged in to. */
  account: string | undefined;
  /** Account whose password is still awaited on this key. */
  pendingAccount: string | undefined;
  /** Account whose phone scanned this key's login token; the next exportLoginToken acts on it. */
  scannedAccount: string | undefined;
  /** Name of the 401 error that this key gets since it was logged out or revoked. */
  revoked: string | undefined;
  /** False for a key that was authorised by auth.importAuthorization on a foreign data centre. */
  home: boolean;
  /** True when a second owner made the platform destroy the key: every call answers 406 AUTH_KEY_DUPLICATED. */
  duplicated: boolean;
  readonly connections: Set<RpcConnection>;
}

/** One live TCP connection. */
export interface RpcConnection {
  readonly dcId: number;
  /** Remote address of the client: two addresses on one key are two owners. */
  readonly remoteAddress: string;
  readonly openedAt: number;
  key: AuthKey | undefined;
  /** True once the connection carried anything but file parts, the authorisation they need on a foreign data centre, and pings: a media connection stays false. */
  main: boolean;
  /** Sends an update, with a message id of its own. */
  push(update: Api.TypeUpdates): void;
  destroy(): void;
}

/** An error that the client sees as `rpc_error`. */
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

/** Bytes (already serialised), a TL object, an array (becomes a `Vector`), a boolean, or `noAnswer`. */
export type RpcAnswer = { getBytes(): Buffer } | readonly { getBytes(): Buffer }[] | Buffer | boolean | typeof noAnswer;

/** The request stays without an answer, as from a silent server. */
export const noAnswer: unique symbol = Symbol("no answer");

export interface RpcMethod {
  /** Allowed before login. */
  readonly open?: boolean;
  handle(request: never, context: RpcContext): RpcAnswer | Promise<RpcAnswer>;
}

/** What the protocol needs of the model behind it. */
export interface RpcBackend {
  readonly methods: ReadonlyMap<string, RpcMethod>;
  /** Called before each method: may throw an `RpcFault`, wait, or answer `noAnswer` (the control API's faults). */
  intercept(className: string, request: unknown, context: RpcContext): Promise<typeof noAnswer | undefined>;
  /** A key was made, changed, or a connection came or went: for persistence, `GET /connections` and `GET /overlaps`. */
  onKeyChanged(key: AuthKey): void;
  onConnectionChanged(connection: RpcConnection, open: boolean): void;
  /**
   * A key has main connections from two remote addresses, that is, two owners. Called once, when the platform gives up the key: from then on
   * it is `duplicated`, and its connections are answered 406 and closed.
   */
  onOverlap?(key: AuthKey, addresses: readonly string[]): void;
  /** Called before each pong: may wait, or answer `noAnswer` to stay silent (the control API's faults). */
  interceptPing?(connection: RpcConnection): Promise<typeof noAnswer | undefined>;
  /** May refuse a new TCP connection (fault `refuse`). */
  acceptsConnection(dcId: number, remoteAddress: string): boolean;
}
