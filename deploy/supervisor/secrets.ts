import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import type { GivenSecrets } from "./settings.js";

/** Key material of the children. */
export interface Secrets {
  /** `role:key`, comma separated. */
  apiKeys: string;
  credKeys: string;
  mediaKeys: string;
  /** The generated key with the admin role; undefined when API_KEYS was given. */
  adminKey: string | undefined;
}

interface SecretsFile {
  credKeys: string;
  mediaKeys: string;
  adminKey: string;
}

/**
 * Given values, completed from `secrets.json` of the data folder, which is written at the first start (mode 0600). Whoever has the file can read the stored
 * logins; without it they cannot be read any more.
 */
export function readSecrets(dataDir: string, given: GivenSecrets): Secrets {
  const { apiKeys, credKeys, mediaKeys } = given;
  if (apiKeys !== undefined && credKeys !== undefined && mediaKeys !== undefined) return { apiKeys, credKeys, mediaKeys, adminKey: undefined };
  const stored = readOrCreate(join(dataDir, "secrets.json"));
  return {
    apiKeys: apiKeys ?? `admin:${stored.adminKey}`,
    credKeys: credKeys ?? stored.credKeys,
    mediaKeys: mediaKeys ?? stored.mediaKeys,
    adminKey: apiKeys === undefined ? stored.adminKey : undefined,
  };
}

function readOrCreate(file: string): SecretsFile {
  if (!existsSync(file)) return create(file);
  chmodSync(file, 0o600);
  const stored = parse(readFileSync(file, "utf8"));
  if (stored === undefined) throw new Error(`${file} cannot be read: restore it from a backup, or remove DATA_DIR as a whole to start anew`);
  return stored;
}

function parse(text: string): SecretsFile | undefined {
  try {
    return typia.json.isParse<SecretsFile>(text) ?? undefined;
  } catch {
    return undefined; // Not JSON at all.
  }
}

/** Whole or not at all: half a file would lock the stored logins away. */
function create(file: string): SecretsFile {
  const key = (): string => `a:${randomBytes(32).toString("base64")}`;
  const secrets: SecretsFile = { credKeys: key(), mediaKeys: key(), adminKey: randomBytes(32).toString("base64url") };
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return secrets;
}
