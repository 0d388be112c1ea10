/**
 * A version of the platform's web client: `2.3000.1043857760`. The last number grows with each release; the first two have not changed
 * since 2024.
 */
export type ClientVersion = [number, number, number];

/** Parses a version such as `2.3000.1043857760`. Throws a sentence. */
export function parseVersion(text: string): ClientVersion {
  const [, major, minor, revision] = /^(\d{1,3})\.(\d{1,5})\.(\d{1,10})$/.exec(text) ?? [];
  const version: ClientVersion = [Number(major), Number(minor), Number(revision)];
  if (!version.every((part) => part <= partMax)) throw new Error("must be a version of the web client, such as 2.3000.1043857760");
  return version;
}

/** Parses `off` or the URL that names the newest version. Throws a sentence. */
export function parseVersionUrl(text: string): URL | undefined {
  if (text === "off") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname));
  if (url === undefined || !isSafe || url.username !== "" || url.password !== "")
    throw new Error("must be off or an https URL without a login (http on this machine)");
  return url;
}

/**
 * Returns the newest version's last number from the platform's page (`client_revision`) or a plain version text. `undefined` when there is
 * none, or when it is implausibly far from `library`.
 */
export function revisionIn(text: string, library: ClientVersion): number | undefined {
  const [, named] = /\\?"client_revision\\?":\s*(\d{1,10})\b(?!\.)/.exec(text) ?? [];
  const alone = /^\s*(\d{1,3})\.(\d{1,5})\.(\d{1,10})\s*$/.exec(text);
  const isOfFamily = alone !== null && Number(alone[1]) === library[0] && Number(alone[2]) === library[1];
  const revision = Number(named ?? (isOfFamily ? alone[3] : undefined));
  return Number.isSafeInteger(revision) && Math.abs(revision - library[2]) <= farthest ? revision : undefined;
}

/** The platform encodes a part as an unsigned 32-bit number. */
const partMax = 2 ** 32 - 1;
/** The number grows by about 13 million a year. */
const farthest = 50_000_000;
