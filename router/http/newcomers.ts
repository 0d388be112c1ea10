import { CompactMap } from "../../shared/flow/compact-map.js";

/** A request in progress whose caller is not yet known or whose body is incomplete. */
export interface Newcomer {
  /** Address that the request counts against (`CallerAddresses`). */
  readonly caller: string;
  /** Ends the wait for the body, and with it the request. Returns false if it does not wait for one. */
  giveUpBody(): boolean;
}

export interface NewcomerLimits {
  readonly newcomers: number;
  readonly newcomersPerAddress: number;
}

/**
 * Limits what unauthenticated requests hold of a router. Past a limit, the request that has waited longest for its body is ended, so slow
 * senders pay for themselves. If none waits for a body, the new request is rejected.
 */
export class Newcomers {
  private readonly waiting = new CompactMap<Newcomer, true>();
  /** Built only while the total reaches the limit of one address. Below that no address is needed. */
  private byAddress: Map<string, Set<Newcomer>> | undefined;

  constructor(
    private readonly limits: NewcomerLimits,
    private readonly onGivenUp: () => void = () => {},
  ) {}

  get size(): number {
    return this.waiting.size;
  }

  /** Admits the request, or returns which limit is full: that of its `address` or the total. */
  admit(newcomer: Newcomer): "welcome" | "address" | "busy" {
    if (this.waiting.size >= this.limits.newcomersPerAddress) {
      const same = (this.byAddress ??= this.sort()).get(newcomer.caller);
      if (same !== undefined && same.size >= this.limits.newcomersPerAddress && !this.giveUpOldest(same)) return "address";
    }
    if (this.waiting.size >= this.limits.newcomers && !this.makeRoom()) return "busy";
    this.waiting.set(newcomer, true);
    if (this.byAddress !== undefined) index(this.byAddress, newcomer);
    return "welcome";
  }

  /** Removes a request that is over, or whose caller is known and whose body is complete. Idempotent. */
  leave(newcomer: Newcomer): void {
    if (!this.waiting.delete(newcomer)) return;
    const same = this.byAddress?.get(newcomer.caller);
    same?.delete(newcomer);
    if (same?.size === 0) this.byAddress?.delete(newcomer.caller);
    if (this.waiting.size < this.limits.newcomersPerAddress / 2) this.byAddress = undefined;
  }

  /** Ends the request that has waited longest for its body. Returns false if none waits for one. */
  makeRoom(): boolean {
    return this.giveUpOldest(this.waiting.keys());
  }

  /** Expects the candidates oldest first. */
  private giveUpOldest(candidates: Iterable<Newcomer>): boolean {
    for (const candidate of candidates) {
      if (!candidate.giveUpBody()) continue;
      this.leave(candidate);
      this.onGivenUp();
      return true;
    }
    return false;
  }

  private sort(): Map<string, Set<Newcomer>> {
    const byAddress = new Map<string, Set<Newcomer>>();
    for (const newcomer of this.waiting.keys()) index(byAddress, newcomer);
    return byAddress;
  }
}

function index(byAddress: Map<string, Set<Newcomer>>, newcomer: Newcomer): void {
  const same = byAddress.get(newcomer.caller);
  if (same === undefined) byAddress.set(newcomer.caller, new Set([newcomer]));
  else same.add(newcomer);
}
