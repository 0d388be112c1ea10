import type { ChildMessage } from "../../shared/process/run.js";

/** Messages of the supervisor's children: those of every process, and the addresses of the sandbox's platforms. */
export type SupervisedMessage = Exclude<ChildMessage, { type: "ready" }> | ({ type: "ready" } & SandboxPlatforms);

/** Addresses in the sandbox's ready message; other processes leave them out. */
export interface SandboxPlatforms {
  telegram?: SandboxTelegram;
  whatsapp?: SandboxWhatsApp;
}

/** Loopback platform that replaces Telegram. */
export interface SandboxTelegram {
  /** Value of TELEGRAM_DC_MAP. */
  dcMap: string;
  /** PEM file: value of TELEGRAM_SERVER_KEYS. */
  publicKeyPath: string;
}

/** Loopback platform that replaces WhatsApp. */
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
