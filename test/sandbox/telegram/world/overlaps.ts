import type { AuthKey, RpcConnection } from "../rpc.js";

/** An event in which one login was used from two places. */
export interface Overlap {
  readonly account: string;
  readonly key: string;
  readonly connections: readonly { remoteAddress: string; openedAt: string }[];
  readonly at: string;
}

const kept = 1_000;

/**
 * Finds keys with two owners: connections from two addresses at once (the platform destroys the key, AUTH_KEY_DUPLICATED), or an older
 * connection of the same address that still sends after a newer one took over.
 */
export class OverlapWatch {
  readonly overlaps: Overlap[] = [];
  /** The order in which connections took over their key. */
  private readonly order = new WeakMap<RpcConnection, number>();
  private readonly reported = new WeakSet<RpcConnection>();
  private takeovers = 0;

  /** Records a call that only an account's owner makes. File transfers and their setup do not count. */
  called(key: AuthKey, connection: RpcConnection): void {
    if (!this.order.has(connection)) this.order.set(connection, ++this.takeovers);
    this.spoke(key, connection);
  }

  /** Records any other packet, such as a ping. */
  spoke(key: AuthKey, connection: RpcConnection): void {
    const own = this.order.get(connection);
    if (own === undefined || key.connections.size < 2) return;
    const younger = [...key.connections].filter((other) => (this.order.get(other) ?? 0) > own);
    if (younger.length > 0) this.report(key, [connection, ...younger]);
  }

  /** Reports each set of connections once. */
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
