/** Message ids: Unix time in the upper 32 bits, its fraction in the lower ones. The last two bits identify the sender. */

export type ServerMessageKind = "answer" | "notice";

/** Limits of the difference between a client's message id and the server's time, in seconds. */
const oldest = 300n;
const newest = 30n;

/** Generates the server's ids: increasing, ending in 1 for responses and in 3 for other messages. */
export class MessageIds {
  private offsetMs = 0;
  private last = 0n;

  /** Sets the milliseconds by which the server's clock is ahead of the machine's, to simulate a data centre with a wrong clock. */
  shiftClock(offsetMs: number): void {
    this.offsetMs = offsetMs;
    // Clients derive the server's time from its ids, so ids follow the clock backwards.
    this.last = 0n;
  }

  seconds(): number {
    return Math.floor((Date.now() + this.offsetMs) / 1_000);
  }

  next(kind: ServerMessageKind): bigint {
    const ms = Date.now() + this.offsetMs;
    const fraction = Math.floor((((ms % 1_000) + 1_000) % 1_000) * 4_294_967.296);
    const now = (BigInt(Math.floor(ms / 1_000)) << 32n) | (BigInt(fraction) & ~3n);
    this.last = now > this.last ? now : this.last + 4n;
    return this.last | (kind === "answer" ? 1n : 3n);
  }

  /** Returns the `bad_msg_notification` code for an invalid client message id. */
  fault(messageId: bigint): 16 | 17 | 18 | undefined {
    if ((messageId & 3n) !== 0n) return 18;
    const age = BigInt(this.seconds()) - (messageId >> 32n);
    if (age > oldest) return 16;
    return age < -newest ? 17 : undefined;
  }
}
