import { createInterface } from "node:readline/promises";
import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { usageError } from "../exit-code.js";
import { LeftOut } from "./left-out.js";

/** Actions that a person performs on the phone. */
export type PhoneAction = "one-person-audience" | "send-a-photo" | "write-edit-delete";

/** Decides which steps others may see, and performs the actions on a phone. */
export interface Person {
  agrees(question: string): Promise<boolean>;
  /** Resolves when the action is done; throws `LeftOut` if the person declines. */
  does(platform: Platform, action: PhoneAction): Promise<void>;
}

const instructions: Readonly<Record<Platform, Readonly<Record<PhoneAction, string>>>> = {
  whatsapp: {
    "one-person-audience": "On the phone: Settings, Privacy, Status, “Only share with”, and choose one person who knows of this.",
    "send-a-photo": "Have the same person send this account a photo.",
    "write-edit-delete": "Have somebody write this account a text in a private chat, edit it, and delete it for everyone.",
  },
  telegram: {
    "one-person-audience":
      "On the phone: Settings, Privacy, “Close friends” of stories: choose one person who knows of this, and nobody else.",
    "send-a-photo": "Have somebody send this account a photo, in a private chat.",
    "write-edit-delete": "Have somebody write this account a text in a private chat, edit it, and delete it for both of you.",
  },
};

/** Prompts a person at the terminal. */
export class PromptedPerson implements Person {
  constructor(private readonly cli: Cli) {
    if (!cli.surroundings.stdin.isTTY) throw usageError("live-check asks questions: run it at a terminal, or with --sandbox.");
  }

  async agrees(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.line(`${question} [y/N] `));
  }

  async does(platform: Platform, action: PhoneAction): Promise<void> {
    this.cli.screen.say(instructions[platform][action]);
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
