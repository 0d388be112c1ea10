import { tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { TenantRates } from "../tenant/tenant-rates.js";

/** Limits the bytes of media sent to tenants per second. */
export interface BytesPort {
  /** Pays without a wait: `free` for a tenant without a quota, `short` if the bytes are not at hand. */
  tryPay(tenant: TenantName, bytes: number): "free" | "paid" | "short";
  /** Returns bytes that were paid and not sent. */
  refund(tenant: TenantName, bytes: number): void;
  /** Pays for the first bytes if the tenant has a quota. Rejects with 429 if the queue is too long. */
  begin(tenant: TenantName, length: number, signal: AbortSignal): Promise<PacedBytes>;
}

/** A stream paced by its tenant's quota. The quota may be set, changed or removed during the stream. */
export interface PacedBytes {
  /** True if the tenant had no quota at the start, so one piece can be sent as it is. */
  readonly isFree: boolean;
  pace(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
}

/** Longest wait of a new stream for its first bytes. If others already wait longer, it gets 429. */
const timeoutMs = 1_000;
/** Pieces per second, shared in turns by the tenant's streams. */
const piecesPerSecond = 8;
const pieceMaxBytes = 128 * 1024;

/** Never interrupts a body that has begun. Paces it instead, piece by piece, in turns with the tenant's other streams. */
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
    if (waitMs >= timeoutMs) {
      this.onRefused();
      throw tooManyRequests(waitMs);
    }
    const first = Math.min(pieceOf(limits.rate), length);
    await this.rates.pay(tenant, first, signal);
    return { isFree: false, pace: (body) => this.pace(tenant, body, { length, paid: first, signal }) };
  }

  /** Refunds bytes that were paid and not sent when the stream ends. */
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

/** Returns a piece size that lets a slow tenant's streams progress several times per second. */
export function pieceOf(bytesPerSecond: number): number {
  return Math.min(pieceMaxBytes, Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond)));
}
