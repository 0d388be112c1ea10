import type { ApiError } from "../../../shared/contract/api-error.js";

/** One sentence of the contract, and what makes it be said. */
export interface ErrorText {
  readonly error: ApiError;
  /** A sentence for those who read it in an answer. */
  readonly when: string;
}

/** One for each function of a file of errors: one more, or one less, does not compile. */
export type Catalog<Functions> = { readonly [Name in keyof Functions]: ErrorText };
