import { ApiError } from "../../../shared/contract/api-error.js";

/** Somebody sent a key or a secret that is not right. `session`: the id for which it was tried. */
export class WrongCredentials extends ApiError {
  constructor(
    { status, message }: ApiError,
    readonly session?: string,
  ) {
    super(status, message);
  }
}

/** Nobody has this key, as far as this router knows: it may have been made at another one a moment ago. */
export class UnknownKey extends WrongCredentials {}
