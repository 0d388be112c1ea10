import type { Connection } from "../whatsapp-backend.js";

/** An event in which one login was used from two places. */
export interface Overlap {
  readonly account: string;
  /** JID of the device. */
  readonly key: string;
  readonly connections: readonly { remoteAddress: string; openedAt: string }[];
  readonly at: string;
}

const kept = 1_000;
/** A live client closes at once when another connection replaces it. The socket of a frozen client stays open. */
const aliveMs = 2_000;

interface TakenOver {
  readonly overlap: Overlap;
  readonly at: number;
}

/**
 * Finds logins whose older connection was still alive when a newer one took over. The server ends the older connection; a fast close
 * proves a live client, a slow one a frozen or disconnected client.
 */
export class OverlapWatch {
  readonly overlaps: Overlap[] = [];
  private readonly current = new Map<string, Connection>();
  private readonly takenOver = new Map<Connection, TakenOver>();

  loggedIn(account: string, key: string, connection: Connection): void {
    const older = this.current.get(key);
    this.current.set(key, connection);
    if (older === undefined || older === connection) return;
    const connections = [older, connection].map(({ remoteAddress, openedAt }) => ({
      remoteAddress,
      openedAt: new Date(openedAt).toISOString(),
    }));
    this.takenOver.set(older, { overlap: { account, key, connections, at: new Date().toISOString() }, at: Date.now() });
  }

  closed(key: string | undefined, connection: Connection): void {
    if (key !== undefined && this.current.get(key) === connection) this.current.delete(key);
    const taken = this.takenOver.get(connection);
    this.takenOver.delete(connection);
    if (taken === undefined || Date.now() - taken.at > aliveMs) return;
    this.overlaps.push(taken.overlap);
    if (this.overlaps.length > kept) this.overlaps.shift();
  }
}
