/** One session of a client on its key: what it has sent, what is being answered, and the numbers of the server's own messages. */
import { randomBytes } from "node:crypto";
import type { AuthKey } from "../../rpc.js";
import type { FutureSalt } from "./future-salt.js";
import { Predecessors } from "./predecessors.js";
import { ReceivedMessages } from "./received-messages.js";
import type { RunningRequest } from "./running-request.js";
import { SentMessages } from "./sent-messages.js";

/** What a session's messages need of its key. */
export interface SessionKey extends AuthKey {
  readonly idBytes: Buffer;
  readonly sessions: Map<bigint, Session>;
  futureSalts(count: number, now: number): readonly FutureSalt[];
}

/** What a session's messages need of its connection. */
export interface SessionConnection {
  readonly open: boolean;
  send(packet: Buffer): void;
  end(): void;
}

export class Session {
  /** Tells the client that this is the same session of the server as before. */
  readonly uniqueId = randomBytes(8).readBigInt64LE(0);
  readonly received = new ReceivedMessages();
  readonly running = new Map<bigint, RunningRequest>();
  readonly predecessors = new Predecessors(this.received, this.running);
  readonly sent = new SentMessages();
  /** The connection on which the client spoke last. */
  connection: SessionConnection | undefined;
  /** The client has been told of this session. */
  announced = false;
  /** Messages that the client expects to be acknowledged, while their answers take long. */
  readonly owedAcks = new Set<bigint>();
  ackTimer: NodeJS.Timeout | undefined;
  private contentSent = 0;

  constructor(
    readonly id: bigint,
    readonly key: SessionKey,
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
