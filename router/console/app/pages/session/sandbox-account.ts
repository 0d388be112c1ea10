import type { Platform } from "../../api/rows.js";

/** One of the sandbox's people. */
export interface SandboxAccount {
  readonly platform: Platform;
  readonly account: string;
  readonly phone: string;
  readonly name?: string;
  readonly username?: string;
  readonly password?: string;
}
