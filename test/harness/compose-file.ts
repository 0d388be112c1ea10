import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The fields of a compose service that tests read. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target?: string };
  readonly [other: string]: unknown;
}

/**
 * Returns the services of a compose file. Fills in variables like `docker compose` does: `${NAME}`, `${NAME:-default}`,
 * `${NAME:?sentence}`.
 */
export function readServices(file: string, variables: Readonly<Record<string, string>>): Record<string, ComposeService> {
  const { services } = parse(readFileSync(file, "utf8"), { merge: true }) as { services: Record<string, ComposeService> };
  return filled(services, variables) as Record<string, ComposeService>;
}

function filled(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string")
    return value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, text = "") =>
      variableOf(name, kind, text, variables),
    );
  if (Array.isArray(value)) return value.map((entry) => filled(entry, variables));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, filled(entry, variables)]));
  return value;
}

function variableOf(name: string, kind: string | undefined, text: string, variables: Readonly<Record<string, string>>): string {
  const value = variables[name];
  if (value !== undefined && value !== "") return value;
  if (kind === "?") throw new Error(`${name}: ${text}`);
  return kind === "-" ? text : "";
}

/** Parses an env file like `docker compose` does. */
export function readEnvFile(file: string): Record<string, string> {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
