import type { AuthKey, RpcConnection } from "../rpc.js";

/** A moment in which one login was used from two places. */
export interface Overlap {
  readonly account: string;
  readonly key: string;
  readonly connections: readonly { remoteAddress: string; openedAt: string }[];
  readonly at: string;
}

/** A client that reconnects may leave its old socket behind for a moment; two owners go on side by side. */
const graceMs = 2_000;
const kept = 1_000;

/**
 * Watches each key's main connections. An overlap is an older connection that speaks after a younger one spoke, or two that both
 * stay open past the grace time.
 */
export class OverlapWatch {
  readonly overlaps: Overlap[] = [];
  private readonly spoken = new WeakSet<RpcConnection>();
  private readonly reported = new WeakSet<RpcConnection>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /** Each call of a main connection comes by here. */
  spoke(key: AuthKey, connection: RpcConnection): void {
    const others = this.rivals(key, connection);
    const isFirst = !this.spoken.has(connection);
    this.spoken.add(connection);
    if (others.length === 0) return;
    if (others.some((other) => other.openedAt > connection.openedAt && this.spoken.has(other))) this.report(key, [connection, ...others]);
    if (!isFirst) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const still = this.rivals(key, connection);
      if (key.connections.has(connection) && still.length > 0) this.report(key, [connection, ...still]);
    }, graceMs);
    timer.unref();
    this.timers.add(timer);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private rivals(key: AuthKey, connection: RpcConnection): RpcConnection[] {
    return [...key.connections].filter((other) => other !== connection && other.main);
  }

  /** Once for each pair of connections. */
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
