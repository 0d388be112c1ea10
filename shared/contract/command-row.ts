import type { ApiError } from "./api-error.js";

/**
 * Retry rule after the loss of an owner. `read`: freely until the deadline. `send`: under one fixed id, so that the platform accepts one.
 * `once`: never, because an unknown outcome is an error.
 */
export type CommandClass = "read" | "send" | "once";

/** Order of one session's commands: `ordered` and `webhook` run one at a time, `read` and `media` several at once. */
export type CommandLane = "ordered" | "webhook" | "read" | "media";

/** Source of a command's session: finds a live one, creates it, or restores it from the trash. */
export type SessionSource = "finds" | "creates" | "undeletes";

/** The facts of a command that routers and shards need. No field is optional, so that each new command decides all of them. */
export interface CommandFacts {
  readonly class: CommandClass;
  readonly lane: CommandLane;
  /** Milliseconds from enqueue. A shard drops older entries without running them. */
  readonly deadlineMs: number;
  /** Creates the error for a command that missed its deadline. */
  readonly late: () => ApiError;
  /** True when the session must be connected. The shard checks this after the router has validated the body. */
  readonly needsConnection: boolean;
  /** True when it changes the session's record. Its reply waits until no router caches the old record. */
  readonly changesRecord: boolean;
  /** True for a message: it obeys the session's pace (`shard/README.md`, "Pace") and counts towards its tenant's daily messages. */
  readonly isMessage: boolean;
  /** True for a permanent change of a session: the audit log records who requested it, and its outcome. */
  readonly isAudited: boolean;
  readonly session: SessionSource;
}

/** Carries the types of a row and has no value. */
declare const types: unique symbol;

/** One command: its input, its output and its facts. */
export interface CommandRow<I = unknown, O = unknown> extends CommandFacts {
  readonly [types]?: { readonly input: I; readonly output: O };
}

/** What a command that creates a session receives about it. */
export interface NewSession {
  /** SHA-256 (hex) of the `session-id`. */
  secretHash: string;
  /** The tenant that owns the session; never changes. */
  tenant: string;
  /** Distinguishes tenants of the same name (`TenantLife`); empty or absent for the default tenant. */
  incarnation?: string;
  /** The caller's own name for the session; may be empty. */
  label: string;
  /** The caller's own notes as the JSON of an object; may be empty. */
  metadata: string;
  /** Proxy of the session's connections; empty or absent: its tenant's proxy. */
  proxy?: string;
  /** `key` if the proxy is that of the API key that creates the session; absent if the caller named it. */
  proxyOf?: "key";
}

/** A command creates a session exactly when its input describes the new session. */
type SourceFor<I> = I extends NewSession ? "creates" : Exclude<SessionSource, "creates">;

export function row<I, O>(facts: CommandFacts & { readonly session: SourceFor<I> }): CommandRow<I, O> {
  return facts;
}

export type InputOf<R> = R extends CommandRow<infer I> ? I : never;
export type OutputOf<R> = R extends CommandRow<unknown, infer O> ? O : never;
