import { isTransient } from "../network/transient.js";

/** A media host returned a status other than success. */
export class HostRefused extends Error {
  constructor(
    readonly status: number,
    /** Seconds from the `Retry-After` header; `undefined` without the header. */
    readonly retrySeconds?: number,
  ) {
    super(`media host answered ${status}`);
  }

  /** True for statuses that do not depend on the request itself. */
  get isMomentary(): boolean {
    return isTransient(this.status) || this.status === 408 || this.status === 429;
  }

  /** True when the host no longer has the file, or the permission in its path has expired. */
  get isGone(): boolean {
    return this.status === 403 || this.status === 404 || this.status === 410;
  }
}
