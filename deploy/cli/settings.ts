import { resolve } from "node:path";
import { EnvReader } from "../../shared/config/env.js";
import { pathPrefix } from "../../shared/process/settings.js";
import { usageError } from "./exit-code.js";
import { readGivenFile, warnOfReaders } from "./given-file.js";
import { chooseAddress, type Address } from "./gateway/address.js";
import { adminKeyOf, runningIn, secretsIn, secretsOfContainers } from "./gateway/found-keys.js";

/** Options of every command. */
export interface GlobalOptions {
  readonly url?: string;
  readonly keyFile?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly color: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings file of the containers, relative to the compiled file. */
const containersFile = new URL("../../../deploy/manifests/.env", import.meta.url).pathname;

export function dataDirOf(options: Pick<GlobalOptions, "dataDir">, environment: Environment): string {
  return resolve(options.dataDir ?? (environment["DATA_DIR"] || ".data"));
}

/** Throws a `CliError` with a sentence. */
export function addressOf(options: GlobalOptions, environment: Environment): Address {
  const env = new EnvReader(environment);
  const dataDir = dataDirOf(options, environment);
  const port = env.integer("PORT", 8080, { min: 1, max: 65_535 });
  const key = options.keyFile === undefined ? env.optional("TRUNKLINE_KEY") : readGivenFile("--key-file", options.keyFile).trim();
  const paths = { whatsapp: pathPrefix(env.text("BASE_URL_A", "/whatsapp")), telegram: pathPrefix(env.text("BASE_URL_B", "/telegram")) };
  // Inside a container, its own key is the gateway's key.
  const ownKeys = env.optional("API_KEYS");
  env.finish();
  if (options.keyFile === undefined) warnOfReaders(fileOf("TRUNKLINE_KEY", environment));
  const url = options.url ?? (environment["TRUNKLINE_URL"] || undefined);
  const found = [ownKeys, secretsIn(dataDir).apiKeys, secretsOfContainers(containersFile).apiKeys];
  const foundKeys = [...new Set(found.flatMap((list) => adminKeyOf(list) ?? []))];
  try {
    return chooseAddress({ url, key, running: runningIn(dataDir), port, paths, foundKeys });
  } catch (error) {
    throw usageError(`${options.url === undefined ? "TRUNKLINE_URL" : "--url"} ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the path of the file that holds a setting, if one is named. */
function fileOf(setting: string, environment: Environment): string | undefined {
  return environment[`${setting}_FILE`];
}

/** Returns `CRED_KEYS` as this machine has them, with their source. */
export function credKeysOf(options: Pick<GlobalOptions, "dataDir">, environment: Environment): { from: string; text: string } | undefined {
  const dataDir = dataDirOf(options, environment);
  const env = new EnvReader(environment);
  const candidates = [
    { from: "CRED_KEYS", text: env.optional("CRED_KEYS") },
    { from: resolve(dataDir, "secrets.json"), text: secretsIn(dataDir).credKeys },
    { from: containersFile, text: secretsOfContainers(containersFile).credKeys },
  ];
  env.finish();
  const [found] = candidates.flatMap(({ from, text }) => (text === undefined ? [] : [{ from, text }]));
  return found;
}
