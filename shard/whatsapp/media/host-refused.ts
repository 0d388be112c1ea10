import { isTransient } from "../network/transient.js";

/** A media host returned a status other than 200. */
export class HostRefused extends Error {
  constructor(readonly status: number) {
    super(`media host answered ${status}`);
  }

  /** True for statuses that do not depend on the request itself. */
  get isMomentary(): boolean {
    return isTransient(this.status) || this.status === 408 || this.status === 429;
  }
}
