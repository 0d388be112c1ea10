import { createHash } from "node:crypto";
import type { ApiError } from "../../../shared/contract/api-error.js";
import { tooManyRequests } from "../../../shared/contract/errors.js";
import type { CallerAddresses } from "../../http/caller-addresses.js";
import type { HttpRequest } from "../../http/request.js";
import { FailureCounts } from "./failure-counts.js";
import type { WrongCredentials } from "./wrong-credentials.js";

export interface CredentialGuardOptions {
  /** Failures per minute of one address, and of one session, that get their usual status. */
  readonly perMinute: number;
  readonly callers: Pick<CallerAddresses, "of">;
  readonly metrics: CredentialGuardMetrics;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export interface CredentialGuardMetrics {
  /** `rejected`: the usual status 401 or 404. `address`, `session`: 429 after too many failures. */
  wrongCredentials(outcome: "rejected" | "address" | "session"): void;
}

/** Number of failures by hashes of addresses and session ids. */
export type Failures = ReadonlyMap<string, number>;

/**
 * Slows down wrong keys and secrets: 429 after too many per minute from one address or for one session. Valid credentials are never
 * slowed. A slowed address no longer counts against sessions.
 */
export class CredentialGuard {
  private readonly addresses: FailureCounts;
  private readonly sessions: FailureCounts;
  private readonly now: () => number;
  /** Failures not yet published to the other routers. */
  private fresh = new Map<string, number>();

  constructor(private readonly options: CredentialGuardOptions) {
    this.addresses = new FailureCounts(options.perMinute);
    this.sessions = new FailureCounts(options.perMinute);
    this.now = options.now ?? (() => performance.now());
  }

  /** Returns whether wrong credentials from this caller's address get 429 now. Counts nothing. */
  isSlowed({ address, headers }: Pick<HttpRequest, "address" | "headers">): boolean {
    const peer = address();
    return peer === "" || this.addresses.waitMs(this.addressKey(peer, headers), this.now()) > 0;
  }

  /** Counts wrong credentials and returns the error to send. */
  judge(wrong: WrongCredentials, { address, headers }: Pick<HttpRequest, "address" | "headers">): ApiError {
    const peer = address();
    // The client has left, so its address is unknown and it reads no response.
    if (peer === "") return wrong;
    const now = this.now();
    const byAddress = this.addressKey(peer, headers);
    const addressWaitMs = this.addresses.waitMs(byAddress, now);
    if (addressWaitMs > 0) return this.slow("address", addressWaitMs);
    this.count(this.addresses, byAddress, now);
    if (wrong.session !== undefined) {
      const bySession = `s${hashed(wrong.session)}`;
      const sessionWaitMs = this.sessions.waitMs(bySession, now);
      if (sessionWaitMs > 0) return this.slow("session", sessionWaitMs);
      this.count(this.sessions, bySession, now);
    }
    this.options.metrics.wrongCredentials("rejected");
    return wrong;
  }

  /** Returns the failures counted since the last call. */
  takeFresh(): Failures {
    const { fresh } = this;
    this.fresh = new Map();
    return fresh;
  }

  /** Adds failures that other routers counted. */
  add(failures: Failures): void {
    for (const [key, count] of failures) (key.startsWith("a") ? this.addresses : this.sessions).add(key, count, this.now());
  }

  private addressKey(peer: string, headers: HttpRequest["headers"]): string {
    return `a${hashed(this.options.callers.of(peer, headers))}`;
  }

  private count(counts: FailureCounts, key: string, now: number): void {
    counts.add(key, 1, now);
    if (this.fresh.size < freshMax || this.fresh.has(key)) this.fresh.set(key, (this.fresh.get(key) ?? 0) + 1);
  }

  private slow(why: "address" | "session", waitMs: number): ApiError {
    this.options.metrics.wrongCredentials(why);
    return tooManyRequests(waitMs);
  }
}

/** Most keys in one message to the other routers (30 KiB). Further ones count only at this router. */
const freshMax = 1_000;

function hashed(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
