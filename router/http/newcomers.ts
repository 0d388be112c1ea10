import { CompactMap } from "../../shared/flow/compact-map.js";

/** A request in progress of which nobody knows yet who sent it, or whose body is not in. */
export interface Newcomer {
  /** Whose share it takes (`CallerAddresses`). */
  readonly caller: string;
  /** Ends its wait for a body, and with it the request; false when it does not wait for one. */
  giveUpBody(): boolean;
}

export interface NewcomerLimits {
  readonly newcomers: number;
  readonly newcomersPerAddress: number;
}

/**
 * What strangers may hold of a router. A request is new until its caller is known and its body is in, which takes milliseconds; whoever wants to fill the router's places has
 * to stay in that state. Past a limit (of one address, of all) the one that has waited longest for its body makes room: it costs whoever sends heads without
 * bodies their own requests, and those who share the address with them nothing. Where none waits for a body (Redis is slow), the latest is refused.
 */
export class Newcomers {
  private readonly waiting = new CompactMap<Newcomer, true>();
  /** Made only while there are as many as one address may have: below that no address is needed. */
  private byAddress: Map<string, Set<Newcomer>> | undefined;

  constructor(
    private readonly limits: NewcomerLimits,
    private readonly onGivenUp: () => void = () => {},
  ) {}

  get size(): number {
    return this.waiting.size;
  }

  /** Takes it in; otherwise says what is full: the share of its `address`, or everything. */
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

  /** It is over, or its caller is known and its body is in. May be called more than once. */
  leave(newcomer: Newcomer): void {
    if (!this.waiting.delete(newcomer)) return;
    const same = this.byAddress?.get(newcomer.caller);
    same?.delete(newcomer);
    if (same?.size === 0) this.byAddress?.delete(newcomer.caller);
    if (this.waiting.size < this.limits.newcomersPerAddress / 2) this.byAddress = undefined;
  }

  /** Ends the one that has waited longest for its body. False when none does. */
  makeRoom(): boolean {
    return this.giveUpOldest(this.waiting.keys());
  }

  /** Oldest first. */
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
