import { createHash } from "node:crypto";
import type { ApiError } from "../../../shared/contract/api-error.js";
import { tooManyRequests } from "../../../shared/contract/errors.js";
import type { CallerAddresses } from "../../http/caller-addresses.js";
import type { HttpRequest } from "../../http/request.js";
import { FailureCounts } from "./failure-counts.js";
import type { WrongCredentials } from "./wrong-credentials.js";

export interface CredentialGuardOptions {
  /** Failures of one address, and of one session, that are answered as what they are. */
  readonly perMinute: number;
  readonly callers: Pick<CallerAddresses, "of">;
  readonly metrics: CredentialGuardMetrics;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export interface CredentialGuardMetrics {
  /** `told`: answered 401 or 404; `address`, `session`: 429, after too many of these. */
  wrongCredentials(answer: "told" | "address" | "session"): void;
}

/** Failures by whose they are: hashes of addresses and of session ids. */
export type Failures = ReadonlyMap<string, number>;

/**
 * What is answered to wrong keys and secrets: past so many within a minute, of one address or for one session, 429. What is right is never asked about here: neither who
 * shares an address with somebody who guesses, nor whose session is guessed at, is kept out. An address that has too many counts no longer against a session, so that one
 * address can take only few places here.
 */
export class CredentialGuard {
  private readonly addresses: FailureCounts;
  private readonly sessions: FailureCounts;
  private readonly now: () => number;
  /** Not told to the other routers yet. */
  private fresh = new Map<string, number>();

  constructor(private readonly options: CredentialGuardOptions) {
    this.addresses = new FailureCounts(options.perMinute);
    this.sessions = new FailureCounts(options.perMinute);
    this.now = options.now ?? (() => performance.now());
  }

  /** Whether wrong credentials of this caller's address are 429 now. Counts nothing. */
  isSlowed({ address, headers }: Pick<HttpRequest, "address" | "headers">): boolean {
    const peer = address();
    return peer === "" || this.addresses.waitMs(this.addressKey(peer, headers), this.now()) > 0;
  }

  /** The answer to wrong credentials, which are counted. */
  judge(wrong: WrongCredentials, { address, headers }: Pick<HttpRequest, "address" | "headers">): ApiError {
    const peer = address();
    // Nobody reads the answer to a client that has left, and its address is not known any more.
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
    this.options.metrics.wrongCredentials("told");
    return wrong;
  }

  /** What has come since the last call. */
  takeFresh(): Failures {
    const { fresh } = this;
    this.fresh = new Map();
    return fresh;
  }

  /** What other routers have counted. */
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

/** Keys in one message to the other routers: 30 KiB. What is past them counts at this router alone. */
const freshMax = 1_000;

function hashed(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
