import { Api } from "telegram";
import type { Ending } from "../../shared/flow/ending.js";
import { phoneNotFound, serverBusy } from "../../shared/contract/telegram/errors.js";
import { pause } from "../../shared/flow/pause.js";
import type { Client } from "./client.js";
import type { Lookup } from "./client-options.js";
import { errorName } from "./errors.js";
import type { Peer, PeerStore } from "./peers.js";

/**
 * Finds people by phone number. The platform allows one lookup in 3 seconds, so up to 16 wait in a queue; further ones get 503 `server
 * busy`. Results are cached under fingerprints, never under the number.
 */
export class PhoneDirectory {
  private nextAt = 0;
  private waiting = 0;

  constructor(
    private readonly peers: PeerStore,
    private readonly fingerprint: (digits: string) => string,
    private readonly gapMs: number,
  ) {}

  /** Returns the person of a phone number. Throws `phone is not on telegram or hidden by its privacy settings`, or the signal's reason. */
  async find(client: Client, digits: string, lookup: Lookup): Promise<Peer> {
    const name = `+${this.fingerprint(digits)}`;
    const stored = await this.peers.named(name);
    const peer = stored === undefined ? await this.inTurn(lookup.signal, () => this.resolve(client, digits, name, lookup)) : stored.peer;
    if (peer === undefined) throw phoneNotFound();
    return peer;
  }

  private async resolve(client: Client, digits: string, name: string, lookup: Lookup): Promise<Peer | undefined> {
    // An earlier lookup in the queue may have been for the same number.
    const stored = await this.peers.named(name);
    if (stored !== undefined) return stored.peer;
    try {
      const { peer } = await client.invoke(new Api.contacts.ResolvePhone({ phone: digits }), lookup);
      if (!(peer instanceof Api.PeerUser)) return undefined;
      this.peers.nameFor(name, peer.userId.toString());
      return await this.peers.find(peer.userId.toString());
    } catch (error) {
      if (!notFoundNames.has(errorName(error) ?? "")) throw error;
      this.peers.nameFor(name, undefined);
      return undefined;
    }
  }

  private async inTurn<T>(signal: Ending, run: () => Promise<T>): Promise<T> {
    if (this.waiting >= waitingMax) throw serverBusy();
    this.waiting++;
    try {
      for (let waitMs = this.waitMs(); waitMs > 0; waitMs = this.waitMs()) {
        await pause(waitMs, signal);
        signal.throwIfAborted();
      }
      // Set before the first await, so that two lookups that wake together do not both run.
      this.nextAt = performance.now() + this.gapMs;
      return await run();
    } finally {
      this.waiting--;
    }
  }

  private waitMs(): number {
    return this.nextAt - performance.now();
  }
}

const waitingMax = 16;
const notFoundNames = new Set(["PHONE_NOT_OCCUPIED", "PHONE_NUMBER_INVALID", "PHONE_NUMBER_BANNED"]);
