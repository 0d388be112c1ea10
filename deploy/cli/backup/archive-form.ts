import typia from "typia";

/** Version of the archive format, independent of the program's version. A reader rejects any other version. */
export const archiveForm = 2;

/** First line of an archive: the versions it comes from and the keys that seal its logins. */
export interface ArchiveHead {
  archive: "trunkline";
  form: number;
  made: string;
  /** Version of the program that wrote the archive. */
  version: string;
  /** Redis version at the time of the backup. Values can be restored to the same Redis version or a newer one. */
  redis: string;
  /** Id of the key that seals new texts. */
  sealing: string;
  /** A text sealed with each key of `CRED_KEYS`, by key id. Opening it proves that a key is the right one. */
  canaries: Record<string, string>;
  /** Fingerprint of each key, which reveals nothing about the key; empty when the backup was made without the keys. */
  fingerprints: Record<string, string>;
  /** Fingerprint of the sandbox that the logins belong to; absent for the live platforms. */
  sandbox?: string;
}

/** One line per key. */
export interface ArchivedKey {
  /** Name of the key. */
  k: string;
  /** Lifetime in ms; 0 means no expiry. */
  t: number;
  /** Value in the `DUMP` format of Redis, as base64. */
  v: string;
}

/** Last line. An archive without it is incomplete. */
export interface ArchiveEnd {
  end: true;
  keys: number;
  sessions: number;
  inTrash: number;
  /** Hex digest of all preceding lines, including their line feeds. */
  sha256: string;
}

export const parseHead = typia.json.createIsParse<ArchiveHead>();
export const parseKey = typia.json.createIsParse<ArchivedKey>();
export const parseEnd = typia.json.createIsParse<ArchiveEnd>();
/** Parses the head of an archive in any format version. */
export const parseAnyHead = typia.json.createIsParse<{ archive: "trunkline"; form: number; version: string }>();
