import { randomUUID } from "node:crypto";
import { pause } from "../../../shared/flow/pause.js";
import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { isLoginRecord, type LoginRecord } from "../gateway/responses.js";
import { postOnce } from "../message/post-once.js";
import type { Person } from "./person.js";

export interface CheckSettings {
  readonly cli: Cli;
  readonly person: Person;
  /** Pause between two actions that the platform sees. */
  readonly paceMs: number;
  /** Base address of photo.jpg, video.mp4, audio.mp3 and document.pdf; undefined if there are none. */
  readonly media: string | undefined;
}

/** The account under test, which sends messages only to itself. */
export class CheckedAccount {
  constructor(
    readonly settings: CheckSettings,
    readonly platform: Platform,
    readonly id: string,
  ) {}

  get path(): string {
    return this.settings.cli.client.address.paths[this.platform];
  }

  get headers(): Record<string, string> {
    return { id: this.id };
  }

  async record(): Promise<LoginRecord> {
    return await this.settings.cli.client.request({ path: `${this.path}/session`, headers: this.headers }, isLoginRecord);
  }

  /** Sends a message to the account itself. The same `key` again means the same message. */
  async send(content: Record<string, unknown>, key = `live-check-${randomUUID()}`): Promise<string> {
    const { phone } = await this.record();
    return await this.post("message", { ...content, phone }, key);
  }

  async post(endpoint: "message" | "status", body: Record<string, unknown>, key: string): Promise<string> {
    await this.pace();
    const { sent } = await postOnce(this.settings.cli, { session: this.id, endpoint, body: () => body, key });
    return sent;
  }

  async pace(): Promise<void> {
    const { cli, paceMs } = this.settings;
    await pause(paceMs, cli.signal);
    cli.signal.throwIfAborted();
  }
}
