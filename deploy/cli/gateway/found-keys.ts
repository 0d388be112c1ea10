import { readFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import { parseApiKeys } from "../../../shared/config/api-key-list.js";
import type { RunningGateway } from "./address.js";

/** Keys stored on this machine; undefined for files that are missing or not readable by this user. */
export interface FoundSecrets {
  readonly apiKeys: string | undefined;
  readonly credKeys: string | undefined;
}

/** Reads `secrets.json` of `npm start`. */
export function secretsIn(dataDir: string): FoundSecrets {
  const stored = read(join(dataDir, "secrets.json"), parseSecrets);
  return { apiKeys: stored?.adminKey === undefined ? undefined : `admin:${stored.adminKey}`, credKeys: stored?.credKeys };
}

/** Reads `deploy/manifests/.env` of the containers. */
export function secretsOfContainers(file: string): FoundSecrets {
  const text = read(file, (found) => found) ?? "";
  const setting = (name: string): string | undefined => new RegExp(`^${name}=(.+)$`, "m").exec(text)?.[1]?.trim();
  return { apiKeys: setting("API_KEYS"), credKeys: setting("CRED_KEYS") };
}

export function runningIn(dataDir: string): RunningGateway | undefined {
  return read(join(dataDir, "gateway.json"), parseRunning) ?? undefined;
}

/** Returns the first key with the role `admin` in the list. */
export function adminKeyOf(list: string | undefined): string | undefined {
  if (list === undefined) return undefined;
  try {
    return parseApiKeys(list).find(({ role }) => role === "admin")?.key;
  } catch {
    return undefined; // A gateway that starts with this setting reports the error.
  }
}

function read<T>(file: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // The file is missing, not readable or invalid.
  }
}

const parseSecrets = typia.json.createIsParse<{ adminKey?: string; credKeys?: string }>();
const parseRunning = typia.json.createIsParse<RunningGateway>();
