import { isTransient } from "../network/transient.js";

/** A media host answered with another status than 200. */
export class HostRefused extends Error {
  constructor(readonly status: number) {
    super(`media host answered ${status}`);
  }

  /** True for statuses that say nothing of the request itself. */
  get isMomentary(): boolean {
    return isTransient(this.status) || this.status === 408 || this.status === 429;
  }
}
