import { counted } from "../output/quantities.js";
import { fail, ok, warn, type Finding } from "./finding.js";

/** Facts about the keys, and about the texts sealed with them. */
export interface KeyFacts {
  /** Source of the keys at hand; undefined without any keys. */
  readonly from: string | undefined;
  /** Reason why the keys cannot be parsed. */
  readonly broken: string | undefined;
  /** Number of stored texts per missing or different key. Undefined if Redis was not reachable. */
  readonly lost: Readonly<Record<string, number>> | undefined;
  /** Total number of stored texts. */
  readonly sealed: number;
  /** `id fingerprint` of each key. */
  readonly fingerprints: readonly string[];
  /** True if the data folder contains Redis data. */
  readonly hasData: boolean;
}

const restore =
  "restore secrets.json of the data folder (in containers: CRED_KEYS in deploy/manifests/.env) from a backup; without these keys the logins cannot be decrypted";

export function judgeKeys({ from, broken, lost, sealed, fingerprints, hasData }: KeyFacts): Finding {
  const about = "keys";
  if (broken !== undefined) return fail(about, broken, restore);
  if (from === undefined) {
    if (sealed > 0) return fail(about, `missing, but ${counted(sealed, "record")} need them`, restore);
    return hasData && lost === undefined
      ? fail(about, "missing, but the data folder contains encrypted logins", restore)
      : ok(about, "not created yet; the first start creates them");
  }
  const needed = Object.entries(lost ?? {}).filter(([, texts]) => texts > 0);
  if (needed.length > 0) {
    const says = needed.map(([id, texts]) => `key ${id} is missing or different, but ${counted(texts, "record")} need it`);
    return fail(about, `${from}: ${says.join("; ")}`, restore);
  }
  const named = `${from}: ${fingerprints.join(", ")}`;
  return lost === undefined
    ? warn(about, `${named}; not verified`, "start the gateway, or set TRUNKLINE_REDIS_URL, and run doctor again")
    : ok(about, `${named}; can decrypt ${counted(sealed, "record")}`);
}
