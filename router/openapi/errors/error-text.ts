import type { ApiError } from "../../../shared/contract/api-error.js";

/** One error of the contract, and its cause. */
export interface ErrorText {
  readonly error: ApiError;
  /** Description of the cause, for readers of the document. */
  readonly when: string;
}

/** One text for each function of an error file. A missing or an extra text does not compile. */
export type Catalog<Functions> = { readonly [Name in keyof Functions]: ErrorText };
