import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import { readApiKeys } from "../../shared/config/api-key-list.js";
import { parseKeyRing } from "../../shared/config/key-ring.js";
import type { GivenSecrets } from "./settings.js";

/** Keys of the children. */
export interface Secrets {
  /** List of `role:key`, separated by commas. */
  apiKeys: string;
  credKeys: string;
  mediaKeys: string;
  /** The generated key with the admin role; undefined if API_KEYS was given. */
  adminKey: string | undefined;
  /** Keys that the first start generated and `keepSecrets` has not written yet. */
  made: SecretsFile | undefined;
}

export interface SecretsFile {
  credKeys: string;
  mediaKeys: string;
  adminKey: string;
}

export function secretsPath(dataDir: string): string {
  return join(dataDir, "secrets.json");
}

/**
 * Returns the given keys, completed from `secrets.json` of the data folder, which decrypts the stored logins. Without that file, new keys
 * are generated; `keepSecrets` writes them once it is certain that no login needs others.
 */
export function readSecrets(dataDir: string, given: GivenSecrets): Secrets {
  const { apiKeys, credKeys, mediaKeys } = given;
  if (apiKeys !== undefined && credKeys !== undefined && mediaKeys !== undefined)
    return { apiKeys, credKeys, mediaKeys, adminKey: undefined, made: undefined };
  const found = read(secretsPath(dataDir));
  const stored = found ?? make();
  return {
    apiKeys: apiKeys ?? `admin:${stored.adminKey}`,
    credKeys: credKeys ?? stored.credKeys,
    mediaKeys: mediaKeys ?? stored.mediaKeys,
    adminKey: apiKeys === undefined ? stored.adminKey : undefined,
    made: found === undefined ? stored : undefined,
  };
}

function read(file: string): SecretsFile | undefined {
  if (!existsSync(file)) return undefined;
  chmodSync(file, 0o600);
  const stored = parse(readFileSync(file, "utf8"));
  if (stored === undefined)
    throw new Error(`${file} cannot be read: restore it from a backup, or remove DATA_DIR as a whole to start anew`);
  const problem = problemOf(stored);
  if (problem !== undefined) throw new Error(`${file} cannot be used, because ${problem}: restore it from a backup`);
  return stored;
}

/** Validates the file, which people may edit. Returns a sentence without the keys. */
function problemOf({ adminKey, credKeys, mediaKeys }: SecretsFile): string | undefined {
  const checks: [string, () => unknown][] = [
    ["adminKey", () => readApiKeys(`admin:${adminKey}`)],
    ["credKeys", () => parseKeyRing(credKeys)],
    ["mediaKeys", () => parseKeyRing(mediaKeys)],
  ];
  for (const [name, check] of checks) {
    try {
      check();
    } catch (error) {
      return `its ${name} ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}

function parse(text: string): SecretsFile | undefined {
  try {
    return typia.json.isParse<SecretsFile>(text) ?? undefined;
  } catch {
    return undefined; // Not JSON.
  }
}

function make(): SecretsFile {
  const key = (): string => `a:${randomBytes(32).toString("base64")}`;
  return { credKeys: key(), mediaKeys: key(), adminKey: randomBytes(32).toString("base64url") };
}

/**
 * Writes the generated keys, readable only by the owner. The write is atomic, because a partial file would make the stored logins
 * unreadable.
 */
export function keepSecrets(dataDir: string, { made }: Secrets): void {
  if (made === undefined) return;
  const file = secretsPath(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
