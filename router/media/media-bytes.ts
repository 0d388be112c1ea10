import { tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { TenantRates } from "../tenant/tenant-rates.js";

/** Bytes of media that tenants are sent a second. */
export interface BytesPort {
  /** Without a wait: `free` for a tenant without a quota, `short` where the bytes are not at hand. */
  tryPay(tenant: TenantName, bytes: number): "free" | "paid" | "short";
  /** Of what was paid and not sent. */
  refund(tenant: TenantName, bytes: number): void;
  /** Pays for the first bytes, of a tenant with a quota. Rejects with 429 where too many wait for theirs. */
  begin(tenant: TenantName, length: number, signal: AbortSignal): Promise<PacedBytes>;
}

/** A stream that is sent no faster than its tenant's quota allows, which may be set, changed and taken away meanwhile. */
export interface PacedBytes {
  /** Without a quota when it began: what is one piece can be sent as it is. */
  readonly isFree: boolean;
  pace(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
}

/** A new stream waits so long for its first bytes, at the most: where others wait longer already, its client is told to come again. */
const patienceMs = 1_000;
/** So many pieces a second, which go to the tenant's streams by turns. */
const piecesPerSecond = 8;
const pieceMaxBytes = 128 * 1024;

/** A body that has begun is never broken off by its tenant's quota: it is paced, and takes turns with the tenant's others, piece by piece. */
export class MediaBytes implements BytesPort {
  constructor(
    private readonly rates: Pick<TenantRates, "limitsOf" | "tryPay" | "pay" | "refund" | "waitMs">,
    private readonly onRefused: () => void,
  ) {}

  tryPay(tenant: TenantName, bytes: number): "free" | "paid" | "short" {
    return this.rates.tryPay(tenant, bytes);
  }

  refund(tenant: TenantName, bytes: number): void {
    this.rates.refund(tenant, bytes);
  }

  async begin(tenant: TenantName, length: number, signal: AbortSignal): Promise<PacedBytes> {
    const limits = this.rates.limitsOf(tenant);
    if (limits === undefined) return { isFree: true, pace: (body) => this.pace(tenant, body, { length, paid: 0, signal }) };
    const waitMs = this.rates.waitMs(tenant);
    if (waitMs >= patienceMs) {
      this.onRefused();
      throw tooManyRequests(waitMs);
    }
    const first = Math.min(pieceOf(limits.rate), length);
    await this.rates.pay(tenant, first, signal);
    return { isFree: false, pace: (body) => this.pace(tenant, body, { length, paid: first, signal }) };
  }

  /** What was paid and not handed out when the stream ends is given back. */
  private async *pace(
    tenant: TenantName,
    body: AsyncIterable<Uint8Array>,
    { length, paid, signal }: { length: number; paid: number; signal: AbortSignal },
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let [ahead, left] = [paid, length];
    try {
      for await (const bytes of body) {
        for (let at = 0; at < bytes.length; ) {
          const limits = ahead === 0 ? this.rates.limitsOf(tenant) : undefined;
          if (limits !== undefined) {
            const next = Math.min(pieceOf(limits.rate), left);
            await this.rates.pay(tenant, next, signal);
            ahead = next;
          }
          const part = ahead === 0 ? bytes.subarray(at) : bytes.subarray(at, at + ahead);
          ahead = Math.max(0, ahead - part.length);
          left -= part.length;
          at += part.length;
          yield part;
        }
      }
    } finally {
      this.rates.refund(tenant, ahead);
    }
  }
}

/** Small enough that a slow tenant's streams move on several times a second. */
export function pieceOf(bytesPerSecond: number): number {
  return Math.min(pieceMaxBytes, Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond)));
}
