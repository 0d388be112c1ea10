import type { tags } from "typia";
import type { CommandId, SessionId } from "../contract/ids.js";
import type { Platform } from "../contract/platform.js";

/**
 * A command as it stands in a member's stream, field `e`, 64 KiB of input at most; how it is written: `envelope-bytes.ts`.
 * `input` is the contract's input as JSON, sealed: one in the clear is no envelope.
 */
export interface Envelope {
  id: CommandId;
  platform: Platform;
  command: string;
  session: SessionId;
  slot: number & tags.Type<"uint32"> & tags.Maximum<4095>;
  replyTo: string;
  /** Milliseconds that the command has left, counted from its entry id on the Redis clock. */
  ttl: number & tags.Type<"uint32">;
  /** Grows with each deliberate repeat: after a move or a death. */
  attempt: number & tags.Type<"uint32">;
  input: Buffer;
  /** Of the HTTP request that it serves; absent where none is told. */
  requestId?: string;
  /** Of the span that sends it, where there are spans. */
  traceparent?: string;
  idempotency?: Idempotency;
}

/** Of a request with an `Idempotency-Key`. What such a request does is recorded, and known to the platform, under `id`: every repeat of it has the same one, and an envelope's id of its own. */
export interface Idempotency {
  id: CommandId;
  /** MACs of its body, under each key of the ring, so that a rotation tells no repeat from its first. */
  body: string[];
  /** Nothing new may be begun for it: it gets the answer of an earlier request, or 429. */
  replayOnly?: true;
}

/** The answer to one command. */
export type Outcome =
  /** `replayed`: it answered an earlier request of the same `Idempotency-Key`. In a reply the output is its JSON, sealed. */
  | { kind: "ok"; output: unknown; replayed?: true }
  /** The output is in the cache Redis under `big-reply:<id>`, sealed. */
  | { kind: "ok-stored" }
  /** `refused`: nothing of this try has begun. Another one may have. */
  | { kind: "error"; status: number; message: string; retryAfterSeconds?: number; refused?: true; replayed?: true }
  /** The slot belongs to somebody else, or is about to. The router sends it again with the same id. `begun`: it may have had its effect already. */
  | { kind: "moved"; begun?: boolean }
  /** Not begun: its time had passed. */
  | { kind: "expired" };

export interface Reply {
  id: CommandId;
  session: SessionId;
  /** Of the envelope that it answers. */
  attempt?: number;
  outcome: Outcome;
}

/** Authenticated context of an input: it does not open under another command's id. */
export function inputContext(id: CommandId): string {
  return `v1|command|${id}`;
}

/** Of an output: it does not open as the answer to another command, or to another session's. */
export function outputContext({ id, session }: Pick<Envelope, "id" | "session">): string {
  return `v1|reply|${session}|${id}`;
}
