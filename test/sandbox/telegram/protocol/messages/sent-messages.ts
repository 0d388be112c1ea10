/** Sent messages that the client has not acknowledged. A client that lost one may request it again. */

export interface SentMessage {
  readonly messageId: bigint;
  readonly sequence: number;
  readonly body: readonly Buffer[];
}

/** Above either limit the oldest message is evicted. Clients acknowledge within seconds. */
const keptMessages = 64;
const keptBytes = 1_048_576;

export class SentMessages {
  private readonly kept = new Map<bigint, SentMessage>();
  private bytes = 0;

  add(message: SentMessage): void {
    this.kept.set(message.messageId, message);
    this.bytes += lengthOf(message);
    for (const [oldest] of this.kept) {
      if (this.kept.size <= keptMessages && this.bytes <= keptBytes) return;
      this.forget(oldest);
    }
  }

  get(messageId: bigint): SentMessage | undefined {
    return this.kept.get(messageId);
  }

  forget(messageId: bigint): void {
    const message = this.kept.get(messageId);
    if (!message) return;
    this.kept.delete(messageId);
    this.bytes -= lengthOf(message);
  }
}

function lengthOf({ body }: SentMessage): number {
  return body.reduce((sum, { length }) => sum + length, 0);
}
