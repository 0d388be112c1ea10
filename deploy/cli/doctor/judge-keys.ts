import { counted } from "../output/quantities.js";
import { fail, ok, warn, type Finding } from "./finding.js";

/** What is known of the keys, and of what is sealed with them. */
export interface KeyFacts {
  /** Where the keys at hand are from; undefined without any. */
  readonly from: string | undefined;
  /** Why those cannot be read. */
  readonly broken: string | undefined;
  /** Per key that is missing or is another: how many stored texts are sealed with it. Undefined when Redis could not be asked. */
  readonly lost: Readonly<Record<string, number>> | undefined;
  /** Stored texts in all. */
  readonly sealed: number;
  /** `id fingerprint` of each key. */
  readonly fingerprints: readonly string[];
  /** There is a data folder with a Redis in it. */
  readonly hasData: boolean;
}

const restore =
  "restore secrets.json of the data folder (with containers CRED_KEYS of deploy/manifests/.env) from its backup: without it these logins cannot be opened";

export function judgeKeys({ from, broken, lost, sealed, fingerprints, hasData }: KeyFacts): Finding {
  const about = "keys";
  if (broken !== undefined) return fail(about, broken, restore);
  if (from === undefined) {
    if (sealed > 0) return fail(about, `none are here, and ${counted(sealed, "stored text")} are sealed`, restore);
    return hasData && lost === undefined
      ? fail(about, "none are here, and the data folder has a Redis that was used with some", restore)
      : ok(about, "none yet: the first start makes them");
  }
  const needed = Object.entries(lost ?? {}).filter(([, texts]) => texts > 0);
  if (needed.length > 0) {
    const says = needed.map(([id, texts]) => `key ${id} is missing or another, and ${counted(texts, "stored text")} need it`);
    return fail(about, `${from}: ${says.join("; ")}`, restore);
  }
  const named = `${from}: ${fingerprints.join(", ")}`;
  return lost === undefined
    ? warn(about, `${named}; not compared with the logins`, "start the gateway, or name its Redis, and ask again")
    : ok(about, `${named}; open ${counted(sealed, "stored text")}`);
}
