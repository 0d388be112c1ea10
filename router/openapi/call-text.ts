import type { ErrorText } from "./errors/error-text.js";
import type { TagName } from "./tags.js";

/** A request as an example, by what it shows. */
export interface RequestText<Body> {
  readonly summary: string;
  readonly body: Body;
}

/** What is written of a call beside what its types and its route say. */
export interface CallText {
  readonly tag: TagName;
  readonly summary: string;
  readonly description?: string;
  /** Sentences that this call may answer with, beside those that its kind has. */
  readonly errors?: readonly ErrorText[];
  /** Of a success, where it is not 200. */
  readonly status?: 201;
  /** Where a `passkey-token` may stand in the place of `session-id`. */
  readonly byPasskeyToken?: true;
}

type TextsWithout<Body, Parameters> = ([Body] extends [never]
  ? object
  : { readonly requests: Readonly<Record<string, RequestText<Body>>> }) &
  ([Parameters] extends [never]
    ? object
    : { readonly parameters: { readonly [Name in keyof Parameters]-?: Exclude<Parameters[Name], undefined> } });

type At<Types, Name> = Name extends keyof Types ? Types[Name] : never;

/** One text for each call of an API, with examples of the types that the contract gives it: one more, one less or another form does not compile. */
export type CallTexts<Replies, Bodies, Parameters> = {
  readonly [Name in keyof Replies]: CallText & { readonly reply: Replies[Name] } & TextsWithout<At<Bodies, Name>, At<Parameters, Name>>;
};

/** The same, as the document is built of it. */
export interface AnyCallText extends CallText {
  readonly reply: unknown;
  readonly requests?: Readonly<Record<string, RequestText<unknown>>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
}
