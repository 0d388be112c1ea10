import type { ApiError } from "./api-error.js";

/**
 * How a command may be repeated when its owner is lost over it: `read` freely until its deadline; `send` under one fixed id, so that the platform sees one;
 * `once` never, an unknown outcome is an error.
 */
export type CommandClass = "read" | "send" | "once";

/** Which commands of one session wait for each other: `ordered` and `webhook` run one at a time, `read` and `media` some at once. */
export type CommandLane = "ordered" | "webhook" | "read" | "media";

/** How a command comes by its session: it finds a live one, creates it, or takes it out of the trash. */
export type SessionSource = "finds" | "creates" | "undeletes";

/** What router and shard must know of a command. No field is optional: whoever adds a command decides each. */
export interface CommandFacts {
  readonly class: CommandClass;
  readonly lane: CommandLane;
  /** Milliseconds from enqueue; a shard drops an older entry unexecuted. */
  readonly deadlineMs: number;
  /** What a caller reads when its time is over. */
  readonly late: () => ApiError;
  /** True when the session must be connected: checked by the shard after the body was validated by the router. */
  readonly needsConnection: boolean;
  /** True when it changes what callers read of the session: its answer waits until no router remembers what was before. */
  readonly changesRecord: boolean;
  /** True when it is a message: it keeps to the pace of its session (`shard/README.md`, "Pace"), and counts among its tenant's messages of the day. */
  readonly isMessage: boolean;
  /** True when it changes a session for good: who asked for it, and what came of it, is on record. */
  readonly isAudited: boolean;
  readonly session: SessionSource;
}

/** Has no value: the types that a row carries. */
declare const types: unique symbol;

/** One command: its input, its output and its facts. */
export interface CommandRow<I = unknown, O = unknown> extends CommandFacts {
  readonly [types]?: { readonly input: I; readonly output: O };
}

/** What a command that creates its session is told about it. */
export interface NewSession {
  /** SHA-256 (hex) of the `session-id`. */
  secretHash: string;
  /** To whom it belongs, for ever. */
  tenant: string;
  /** Which tenant of that name (`TenantLife`); empty or absent for the default one. */
  incarnation?: string;
  /** The caller's own name for it; empty without one. */
  label: string;
  /** The caller's own notes on it: the JSON of an object, empty without one. */
  metadata: string;
  /** What its connections go through; empty or absent: its tenant's proxy. */
  proxy?: string;
  /** It is that of the api key that creates the session; absent: the caller named it. */
  proxyOf?: "key";
}

/** A command creates its session exactly when its input says what that session is to be. */
type SourceFor<I> = I extends NewSession ? "creates" : Exclude<SessionSource, "creates">;

export function row<I, O>(facts: CommandFacts & { readonly session: SourceFor<I> }): CommandRow<I, O> {
  return facts;
}

export type InputOf<R> = R extends CommandRow<infer I> ? I : never;
export type OutputOf<R> = R extends CommandRow<unknown, infer O> ? O : never;
