import type { ErrorText } from "./errors/error-text.js";
import type { TagName } from "./tags.js";

/** An example request and its summary. */
export interface RequestText<Body> {
  readonly summary: string;
  readonly body: Body;
}

/** The texts of one call that its types and its route cannot supply. */
export interface CallText {
  readonly tag: TagName;
  readonly summary: string;
  readonly description?: string;
  /** Errors of this call, besides those of its kind. */
  readonly errors?: readonly ErrorText[];
  /** Status of a success, if it is not 200. */
  readonly status?: 201;
  /** Set when `passkey-token` may replace `session-id`. */
  readonly byPasskeyToken?: true;
}

type TextsWithout<Body, Parameters> = ([Body] extends [never]
  ? object
  : { readonly requests: Readonly<Record<string, RequestText<Body>>> }) &
  ([Parameters] extends [never]
    ? object
    : { readonly parameters: { readonly [Name in keyof Parameters]-?: Exclude<Parameters[Name], undefined> } });

type At<Types, Name> = Name extends keyof Types ? Types[Name] : never;

/** Texts for every call of an API, with examples of the contract's types. A missing, extra or differently shaped text does not compile. */
export type CallTexts<Replies, Bodies, Parameters> = {
  readonly [Name in keyof Replies]: CallText & { readonly reply: Replies[Name] } & TextsWithout<At<Bodies, Name>, At<Parameters, Name>>;
};

/** The same texts with erased types, from which the document is built. */
export interface AnyCallText extends CallText {
  readonly reply: unknown;
  readonly requests?: Readonly<Record<string, RequestText<unknown>>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
}
