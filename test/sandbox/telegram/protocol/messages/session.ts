/** One session of a client on its key: sent messages, running requests, and the sequence of the server's messages. */
import { randomBytes } from "node:crypto";
import type { AuthKey } from "../../rpc.js";
import type { FutureSalt } from "./future-salt.js";
import { Predecessors } from "./predecessors.js";
import { ReceivedMessages } from "./received-messages.js";
import type { RunningRequest } from "./running-request.js";
import { SentMessages } from "./sent-messages.js";

/** The parts of a key that a session uses. */
export interface SessionKey extends AuthKey {
  readonly idBytes: Buffer;
  readonly sessions: Map<bigint, Session>;
  futureSalts(count: number, now: number): readonly FutureSalt[];
}

/** The parts of a connection that a session uses. */
export interface SessionConnection {
  readonly open: boolean;
  send(packet: Buffer): void;
  end(): void;
}

export class Session {
  /** Shows the client that the server's session is the same as before. */
  readonly uniqueId = randomBytes(8).readBigInt64LE(0);
  readonly received = new ReceivedMessages();
  readonly running = new Map<bigint, RunningRequest>();
  readonly predecessors = new Predecessors(this.received, this.running);
  readonly sent = new SentMessages();
  /** The connection of the client's last message. */
  connection: SessionConnection | undefined;
  /** The client was notified of this session. */
  announced = false;
  /** Messages to acknowledge while their responses are pending. */
  readonly owedAcks = new Set<bigint>();
  ackTimer: NodeJS.Timeout | undefined;
  private contentSent = 0;

  constructor(
    readonly id: bigint,
    readonly key: SessionKey,
  ) {}

  /** Returns the sequence number of the server's next message: odd if the client must acknowledge it. */
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
