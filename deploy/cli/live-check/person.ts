import { createInterface } from "node:readline/promises";
import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { usageError } from "../exit-code.js";
import { LeftOut } from "./left-out.js";

/** What has to be done on the phone. */
export type PhoneAction = "one-person-audience" | "send-a-photo";

/** Who decides what others may see, and does what is to be done on a phone. */
export interface Person {
  agrees(question: string): Promise<boolean>;
  /** Resolves when it was done; throws `LeftOut` when they would rather not. */
  does(platform: Platform, action: PhoneAction): Promise<void>;
}

const asked: Readonly<Record<Platform, Readonly<Record<PhoneAction, string>>>> = {
  whatsapp: {
    "one-person-audience": "On the phone: Settings, Privacy, Status, “Only share with”, and choose one person who knows of this.",
    "send-a-photo": "On the phone: send a photo to yourself.",
  },
  telegram: {
    "one-person-audience":
      "On the phone: Settings, Privacy, “Close friends” of stories: choose one person who knows of this, and nobody else.",
    "send-a-photo": "Have somebody send this account a photo, in a private chat.",
  },
};

/** At the terminal. */
export class AskedPerson implements Person {
  constructor(private readonly cli: Cli) {
    if (!cli.surroundings.stdin.isTTY) throw usageError("live-check asks questions: run it at a terminal, or with --sandbox.");
  }

  async agrees(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.line(`${question} [y/N] `));
  }

  async does(platform: Platform, action: PhoneAction): Promise<void> {
    this.cli.screen.say(asked[platform][action]);
    if (/^s/i.test(await this.line("Enter when it is done, s to leave this out: "))) throw new LeftOut("not wanted");
  }

  private async line(question: string): Promise<string> {
    const lines = createInterface({ input: this.cli.surroundings.stdin, output: process.stderr });
    try {
      return (await lines.question(question, { signal: this.cli.signal })).trim();
    } finally {
      lines.close();
    }
  }
}
