/** One session of a client on its key: what it has sent, what is being answered, and the numbers of the server's own messages. */
import { randomBytes } from "node:crypto";
import type { Connection } from "../connection.js";
import type { KeyRecord } from "../auth-key.js";
import { Predecessors } from "./predecessors.js";
import { ReceivedMessages } from "./received-messages.js";
import { SentMessages } from "./sent-messages.js";

/** How a request ended: `silent` means that it gets no answer, on purpose. */
export type Outcome = "answered" | "failed" | "silent";

export interface RunningRequest {
  readonly ended: Promise<Outcome>;
  /** The client gave up the answer, or was already told something else. */
  dropped: boolean;
}

export class Session {
  /** Tells the client that this is the same session of the server as before. */
  readonly uniqueId = randomBytes(8).readBigInt64LE(0);
  readonly received = new ReceivedMessages();
  readonly running = new Map<bigint, RunningRequest>();
  readonly predecessors = new Predecessors(this.received, this.running);
  readonly sent = new SentMessages();
  /** The connection on which the client spoke last. */
  connection: Connection | undefined;
  /** The client has been told of this session. */
  announced = false;
  /** Messages that the client expects to be acknowledged, while their answers take long. */
  readonly owedAcks = new Set<bigint>();
  ackTimer: NodeJS.Timeout | undefined;
  private contentSent = 0;

  constructor(
    readonly id: bigint,
    readonly key: KeyRecord,
  ) {}

  /** The sequence number of the server's next message: odd if the client has to acknowledge it. */
  nextSequence(content: boolean): number {
    const sequence = this.contentSent * 2 + (content ? 1 : 0);
    if (content) this.contentSent += 1;
    return sequence;
  }

  close(): void {
    clearTimeout(this.ackTimer);
    this.ackTimer = undefined;
  }
}
