import { readFileSync, renameSync, writeFileSync } from "node:fs";
import typia from "typia";
import type { Platform } from "../../../shared/contract/platform.js";
import { CliError } from "../exit-code.js";
import type { StepResult } from "./step.js";

/** State kept between two runs. It contains no secret, number or name. */
interface Stored {
  /** Session ids by platform. */
  sessions: Partial<Record<Platform, string>>;
  steps: Record<string, StepResult>;
}

const parse = typia.json.createIsParse<Stored>();

/** Progress of the run, saved after each step so that a run may be interrupted anywhere. */
export class Progress {
  private constructor(
    private readonly file: string,
    private readonly stored: Stored,
  ) {}

  static in(file: string, isAnew: boolean): Progress {
    const stored = isAnew ? undefined : read(file);
    return new Progress(file, stored ?? { sessions: {}, steps: {} });
  }

  session(platform: Platform): string | undefined {
    return this.stored.sessions[platform];
  }

  loggedIn(platform: Platform, id: string): void {
    this.stored.sessions[platform] = id;
    this.write();
  }

  of(key: string): StepResult | undefined {
    return this.stored.steps[key];
  }

  /** The next run repeats failed steps. */
  isDone(key: string): boolean {
    const outcome = this.of(key)?.outcome;
    return outcome !== undefined && outcome !== "failed";
  }

  note(key: string, result: StepResult): void {
    this.stored.steps[key] = result;
    this.write();
  }

  private write(): void {
    writeFileSync(`${this.file}.new`, `${JSON.stringify(this.stored, undefined, 1)}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

function read(file: string): Stored | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined; // There is no earlier run.
  }
  const stored = parse(text);
  if (stored === null) throw new CliError(`${file} is no progress of live-check: remove it, or begin with --anew`);
  return stored;
}
