import type { Connection } from "../whatsapp-backend.js";

/** A moment in which one login was used from two places. */
export interface Overlap {
  readonly account: string;
  /** JID of the device. */
  readonly key: string;
  readonly connections: readonly { remoteAddress: string; openedAt: string }[];
  readonly at: string;
}

const kept = 1_000;
/** A living client closes at once when it is told that another took its place; the socket of a frozen one stays as it is. */
const aliveMs = 2_000;

interface TakenOver {
  readonly overlap: Overlap;
  readonly at: number;
}

/**
 * Watches who holds each login. An overlap is a login whose older connection was still alive when a younger took over. The server ends the older
 * one, and only how soon that closes tells a living owner from one that was frozen or cut off and whose socket merely lingered.
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
