import type { ChildMessage } from "../../shared/process/run.js";

/** What the children of this supervisor say: the words of every process, and where the sandbox's platform is found. */
export type SupervisedMessage = Exclude<ChildMessage, { type: "ready" }> | ({ type: "ready" } & SandboxPlatforms);

/** What the sandbox says when it is ready; other processes say nothing of it. */
export interface SandboxPlatforms {
  telegram?: SandboxTelegram;
  whatsapp?: SandboxWhatsApp;
}

/** The loopback platform that shards connect to in place of the real one. */
export interface SandboxTelegram {
  /** Value of TELEGRAM_DC_MAP. */
  dcMap: string;
  /** PEM file: value of TELEGRAM_SERVER_KEYS. */
  publicKeyPath: string;
}

/** The other one. */
export interface SandboxWhatsApp {
  /** Value of WHATSAPP_URL. */
  url: string;
  /** File of 32 bytes: value of WHATSAPP_ROOT_KEY. */
  rootKeyPath: string;
  /** PEM file: value of WHATSAPP_MEDIA_CA. */
  mediaCaPath: string;
  /** `host:port` of its files; absent from a sandbox of an earlier version. */
  mediaHost?: string;
}
