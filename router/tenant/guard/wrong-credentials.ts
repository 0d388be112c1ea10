import { ApiError } from "../../../shared/contract/api-error.js";

/** A wrong key or secret. `session`: the id that was tried. */
export class WrongCredentials extends ApiError {
  constructor(
    { status, message }: ApiError,
    readonly session?: string,
  ) {
    super(status, message);
  }
}

/** A key unknown to this router. Another router may have created it a moment ago. */
export class UnknownKey extends WrongCredentials {}
