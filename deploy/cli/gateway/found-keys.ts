import { readFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import { parseApiKeys } from "../../../shared/config/api-key-list.js";
import type { RunningGateway } from "./address.js";

/** Key material that lies on this machine. What is not there, or is not for us, is undefined. */
export interface FoundSecrets {
  readonly apiKeys: string | undefined;
  readonly credKeys: string | undefined;
}

/** `secrets.json` of `npm start`. */
export function secretsIn(dataDir: string): FoundSecrets {
  const stored = read(join(dataDir, "secrets.json"), parseSecrets);
  return { apiKeys: stored?.adminKey === undefined ? undefined : `admin:${stored.adminKey}`, credKeys: stored?.credKeys };
}

/** `deploy/manifests/.env` of the containers. */
export function secretsOfContainers(file: string): FoundSecrets {
  const text = read(file, (found) => found) ?? "";
  const setting = (name: string): string | undefined => new RegExp(`^${name}=(.+)$`, "m").exec(text)?.[1]?.trim();
  return { apiKeys: setting("API_KEYS"), credKeys: setting("CRED_KEYS") };
}

export function runningIn(dataDir: string): RunningGateway | undefined {
  return read(join(dataDir, "gateway.json"), parseRunning) ?? undefined;
}

/** The first key of the role `admin` in such a list. */
export function adminKeyOf(list: string | undefined): string | undefined {
  if (list === undefined) return undefined;
  try {
    return parseApiKeys(list).find(({ role }) => role === "admin")?.key;
  } catch {
    return undefined; // A gateway that starts with it says what is wrong.
  }
}

function read<T>(file: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // Not there, not for us, or not what it should be.
  }
}

const parseSecrets = typia.json.createIsParse<{ adminKey?: string; credKeys?: string }>();
const parseRunning = typia.json.createIsParse<RunningGateway>();
