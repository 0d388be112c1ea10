import { readFileSync } from "node:fs";
import { KeyRing } from "./key-ring.js";

/** All problems of a configuration at once, one a line, each with its variable and, unless secret, its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/**
 * Reads settings from the environment, or from the file that `<NAME>_FILE` names, and collects
 * their errors; `finish` throws them together. Only the `main.ts` files read `process.env`.
 */
export class EnvReader {
  private readonly problems: string[] = [];

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  text(name: string, fallback?: string): string {
    const value = this.value(name);
    if (value !== undefined) return value;
    if (fallback === undefined) this.problems.push(`${name} is not set`);
    return fallback ?? "";
  }

  optional(name: string): string | undefined {
    return this.value(name);
  }

  integer(name: string, fallback: number, range: { min: number; max: number }): number {
    const value = this.value(name);
    if (value === undefined) return fallback;
    const number = Number(value);
    if (Number.isInteger(number) && number >= range.min && number <= range.max) return number;
    this.problems.push(`${name} must be an integer from ${range.min} to ${range.max}, not ${JSON.stringify(value)}`);
    return fallback;
  }

  oneOf<const T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.value(name);
    if (value === undefined) return fallback;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) this.problems.push(`${name} must be one of ${values.join(", ")}, not ${JSON.stringify(value)}`);
    return found ?? fallback;
  }

  /** Parses with a function that throws a sentence; a secret's value never enters the problem. */
  parsed<T>(name: string, parse: (text: string) => T, options: { secret?: boolean; fallback?: string } = {}): T | undefined {
    const text = this.value(name) ?? options.fallback;
    if (text === undefined) {
      this.problems.push(`${name} is not set`);
      return undefined;
    }
    try {
      return parse(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problems.push(`${name} ${reason}${options.secret === true ? "" : `, not ${JSON.stringify(text)}`}`);
      return undefined;
    }
  }

  keyRing(name: string): KeyRing | undefined {
    return this.parsed(name, (text) => KeyRing.parse(text), { secret: true });
  }

  /** Adds a problem of a setting that conflicts with others; the sentence goes on from its name. */
  refuse(name: string, reason: string): void {
    const problem = `${name} ${reason}`;
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }

  /** Throws a `ConfigError` when anything was wrong. */
  finish(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }

  private value(name: string): string | undefined {
    const value = this.env[name] || this.fileOf(name);
    return value === undefined || value === "" ? undefined : value;
  }

  private fileOf(name: string): string | undefined {
    const file = this.env[`${name}_FILE`];
    if (file === undefined || file === "") return undefined;
    try {
      return readFileSync(file, "utf8").trim();
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      const problem = `${name}_FILE cannot be read (${reason}): ${JSON.stringify(file)}`;
      // The same setting may be read twice.
      if (!this.problems.includes(problem)) this.problems.push(problem);
      return undefined;
    }
  }
}

/** Returns a setting that `finish` has proved present. Call after `finish`. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("setting read before finish()");
  return value;
}
