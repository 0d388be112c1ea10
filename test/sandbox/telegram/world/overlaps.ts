import type { AuthKey, RpcConnection } from "../rpc.js";

/** A moment in which one login was used from two places. */
export interface Overlap {
  readonly account: string;
  readonly key: string;
  readonly connections: readonly { remoteAddress: string; openedAt: string }[];
  readonly at: string;
}

const kept = 1_000;

/**
 * Watches who uses each key. An overlap is what must not happen to a login: connections of two addresses that are open at the same time, whether the older says anything or not (the platform
 * destroys the key, AUTH_KEY_DUPLICATED, and reports it here), or an older connection of the same address that goes on, if only with a ping, after a younger one took over.
 * A socket of the same address that a frozen owner left open says nothing and is none.
 */
export class OverlapWatch {
  readonly overlaps: Overlap[] = [];
  /** Order in which connections took over their key. */
  private readonly order = new WeakMap<RpcConnection, number>();
  private readonly reported = new WeakSet<RpcConnection>();
  private takeovers = 0;

  /** A call that only an account's owner makes: no file parts, and none of those that set up a connection for files. */
  called(key: AuthKey, connection: RpcConnection): void {
    if (!this.order.has(connection)) this.order.set(connection, ++this.takeovers);
    this.spoke(key, connection);
  }

  /** Any other sign of life, such as a ping. */
  spoke(key: AuthKey, connection: RpcConnection): void {
    const own = this.order.get(connection);
    if (own === undefined || key.connections.size < 2) return;
    const younger = [...key.connections].filter((other) => (this.order.get(other) ?? 0) > own);
    if (younger.length > 0) this.report(key, [connection, ...younger]);
  }

  /** Once for each set of connections. */
  report(key: AuthKey, connections: readonly RpcConnection[]): void {
    if (key.account === undefined || connections.every((connection) => this.reported.has(connection))) return;
    for (const connection of connections) this.reported.add(connection);
    this.overlaps.push({
      account: key.account,
      key: key.id,
      connections: connections.map(({ remoteAddress, openedAt }) => ({ remoteAddress, openedAt: new Date(openedAt).toISOString() })),
      at: new Date().toISOString(),
    });
    if (this.overlaps.length > kept) this.overlaps.shift();
  }
}
