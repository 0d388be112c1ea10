import type { tags } from "typia";
import type { CommandId, SessionId } from "../contract/ids.js";
import type { Platform } from "../contract/platform.js";

/** Everything of a command except its input. */
export interface CommandHead {
  id: CommandId;
  platform: Platform;
  command: string;
  session: SessionId;
  slot: number & tags.Type<"uint32"> & tags.Maximum<4095>;
  replyTo: string;
  /** Milliseconds that the command has left, counted from its entry id on the Redis clock, or from its arrival on a local bus. */
  ttl: number & tags.Type<"uint32">;
  /** Grows with each resend by the router: after a move or the death of an owner. */
  attempt: number & tags.Type<"uint32">;
  /** Id of the HTTP request that the envelope serves; absent if there is none. */
  requestId?: string;
  /** Trace context of the sending span; absent without tracing. */
  traceparent?: string;
  idempotency?: Idempotency;
  /** An earlier try without a record may have had its effect. Without a record, the command then counts as begun. */
  begun?: true;
}

/**
 * A command as it stands in a member's stream, field `e`, 64 KiB of input at most; how it is written: `envelope-bytes.ts`.
 * `input` is the contract's input as JSON, sealed: one in the clear is no envelope.
 */
export interface Envelope extends CommandHead {
  input: Buffer;
}

/** A command inside its router's process, with the contract's input. It is sealed only when it leaves the process. */
export interface OpenEnvelope extends CommandHead {
  readonly opened: unknown;
  /** No earlier try can have begun, here or elsewhere. */
  readonly isFirstTry: boolean;
}

/** Output of this process's own shard, which was never sealed. */
export class OpenOutput {
  constructor(readonly value: unknown) {}
}

/**
 * Data of a request with an `Idempotency-Key`. Every repeat of the request has the same `id`,
 * under which its effect is recorded, but an envelope id of its own.
 */
export interface Idempotency {
  id: CommandId;
  /** MACs of the body, one under each key of the ring, so that repeats still match after a key rotation. */
  body: string[];
  /** The command must not start new work: it gets the reply of an earlier request, or 429. */
  replayOnly?: true;
}

/** The result of one command. */
export type Outcome =
  /**
   * `replayed`: the output belongs to an earlier request with the same `Idempotency-Key`. A reply
   * carries the output as sealed JSON, or as `OpenOutput` if it stays in the process.
   */
  | { kind: "ok"; output: unknown; replayed?: true }
  /** The output is in the cache Redis under `big-reply:<id>`, sealed. */
  | { kind: "ok-stored" }
  /** `refused`: this try has not begun. An earlier try may have. */
  | { kind: "error"; status: number; message: string; retryAfterSeconds?: number; refused?: true; replayed?: true }
  /**
   * The slot has another owner, or is about to. The router resends the command with the same id.
   * `begun`: it may already have had its effect. `unrecorded`: no record says so.
   */
  | { kind: "moved"; begun?: boolean; unrecorded?: true }
  /** The command did not begin, because its deadline had passed. */
  | { kind: "expired" };

export interface Reply {
  id: CommandId;
  session: SessionId;
  /** Attempt number of the envelope that this reply belongs to. */
  attempt?: number;
  outcome: Outcome;
}

/** Authenticated context of an input: it does not open under another command's id. */
export function inputContext(id: CommandId): string {
  return `v1|command|${id}`;
}

/** Returns the context that an output is sealed with, so that it does not open as the reply of another command or session. */
export function outputContext({ id, session }: Pick<CommandHead, "id" | "session">): string {
  return `v1|reply|${session}|${id}`;
}
