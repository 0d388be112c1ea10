/** Message ids: Unix time in the upper 32 bits, its fraction in the lower ones, of which the last two tell who speaks. */

export type ServerMessageKind = "answer" | "notice";

/** How far a client's message id may lie from the server's time, in seconds. */
const oldest = 300n;
const newest = 30n;

/** Makes the server's ids: growing, ending in 1 for answers and 3 for what the client did not ask for. */
export class MessageIds {
  private offsetMs = 0;
  private last = 0n;

  /** Sets by how many milliseconds this server's clock is ahead of the machine's, to play a data centre whose time differs. */
  shiftClock(offsetMs: number): void {
    this.offsetMs = offsetMs;
    // Clients read the server's time off its ids, so ids go back with the clock.
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

  /** The code of the `bad_msg_notification` that a client's message id deserves, if any. */
  fault(messageId: bigint): 16 | 17 | 18 | undefined {
    if ((messageId & 3n) !== 0n) return 18;
    const age = BigInt(this.seconds()) - (messageId >> 32n);
    if (age > oldest) return 16;
    return age < -newest ? 17 : undefined;
  }
}
