import type { ChildMessage } from "../../shared/process/run.js";

/** What the children of this supervisor say: the words of every process, and where the sandbox's platform is found. */
export type SupervisedMessage = Exclude<ChildMessage, { type: "ready" }> | { type: "ready"; telegram?: SandboxTelegram };

/** The loopback platform that shards connect to in place of the real one. */
export interface SandboxTelegram {
  /** Value of TELEGRAM_DC_MAP. */
  dcMap: string;
  /** PEM file: value of TELEGRAM_SERVER_KEYS. */
  publicKeyPath: string;
}
