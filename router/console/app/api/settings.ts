import type { Platform } from "./rows.js";

/** Settings of this deployment from `settings.json`. */
export interface Settings {
  /** Path prefix of each variant. */
  readonly prefixes: Readonly<Record<Platform, string>>;
  /** Both platforms are on loopback, and their phones can be played. `files`: where its sample files are. */
  readonly sandbox: { readonly files: string } | null;
}

let known: Settings | undefined;

export async function loadSettings(): Promise<void> {
  known = (await (await fetch("/console/settings.json")).json()) as Settings;
}

export function settings(): Settings {
  if (known === undefined) throw new Error("the settings are read before the first page");
  return known;
}
