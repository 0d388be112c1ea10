import { isRefusedWrite } from "../flow/redis-trouble.js";

const everyMs = 1_000;

/**
 * Limits warnings about refused Redis writes, which could come hundreds a second and fill the
 * disk. Logs the first as it is, then a count per second.
 */
export class RefusedWrites {
  private held = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `tell`: logs how many were held back in the last second. */
  constructor(private readonly tell: (count: number) => void) {}

  /** Whether this warning is counted instead of logged. `fields`: of the log line. */
  holds(fields: unknown): boolean {
    if (!saysRefused(fields)) return false;
    if (this.timer !== undefined) {
      this.held += 1;
      return true;
    }
    this.rest();
    return false;
  }

  private rest(): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const count = this.held;
      this.held = 0;
      if (count === 0) return;
      this.rest();
      this.tell(count);
    }, everyMs).unref();
  }
}

function saysRefused(fields: unknown): boolean {
  if (typeof fields !== "object" || fields === null) return false;
  if ("err" in fields) return isRefusedWrite(fields.err);
  return "reason" in fields && typeof fields.reason === "string" && isRefusedWrite(new Error(fields.reason));
}
