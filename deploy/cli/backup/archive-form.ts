import typia from "typia";

/** Of the archive, not of the program. A reader refuses one that it does not know. */
export const archiveForm = 2;

/** The first line of an archive: whose it is, and by which keys its logins open. */
export interface ArchiveHead {
  archive: "trunkline";
  form: number;
  made: string;
  /** Of the program that made it. */
  version: string;
  /** What it comes from: a value can be restored to the same Redis or a newer one. */
  redis: string;
  /** Name of the key that seals. */
  sealing: string;
  /** Per key of `CRED_KEYS` a text sealed with it: whoever has the key can tell that it is the one. */
  canaries: Record<string, string>;
  /** Per key, what tells it from every other and says nothing of it; empty when the backup was made without the keys. */
  fingerprints: Record<string, string>;
  /** What tells the sandbox that its logins are of from every other; absent on the live platforms. */
  sandbox?: string;
}

/** One line for each key. */
export interface ArchivedKey {
  /** Name. */
  k: string;
  /** Lifetime in ms; 0 is for ever. */
  t: number;
  /** Base64 of what Redis wrote down. */
  v: string;
}

/** The last line. Without it the archive is torn. */
export interface ArchiveEnd {
  end: true;
  keys: number;
  sessions: number;
  inTrash: number;
  /** Hex, of all lines before, with their ends. */
  sha256: string;
}

export const parseHead = typia.json.createIsParse<ArchiveHead>();
export const parseKey = typia.json.createIsParse<ArchivedKey>();
export const parseEnd = typia.json.createIsParse<ArchiveEnd>();
/** Of another form than ours, but an archive. */
export const parseAnyHead = typia.json.createIsParse<{ archive: "trunkline"; form: number; version: string }>();
