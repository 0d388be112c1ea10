export const apiKeyRoles = ["create", "admin"] as const;
export type ApiKeyRole = (typeof apiKeyRoles)[number];

export interface GivenApiKey {
  readonly role: ApiKeyRole;
  readonly key: string;
}

/** Characters. Whoever reaches a router may try keys. */
export const apiKeyMinLength = 16;

/**
 * Parses comma-separated keys, each `<role>:<key>` or just `<key>` (role `create`). An empty text
 * means no keys; an empty entry is an error, whose message contains no key.
 */
export function parseApiKeys(text: string): GivenApiKey[] {
  return text === "" ? [] : text.split(",").map((entry, index) => parseEntry(entry.trim(), ordinal(index + 1)));
}

/** Parses the keys of a configuration, and also rejects a key that is short enough to guess. */
export function readApiKeys(text: string): GivenApiKey[] {
  const keys = parseApiKeys(text);
  const short = keys.findIndex(({ key }) => key.length < apiKeyMinLength);
  if (short >= 0) throw new Error(`has a key of fewer than ${apiKeyMinLength} characters (the ${ordinal(short + 1)})`);
  return keys;
}

function parseEntry(entry: string, place: string): GivenApiKey {
  const colon = entry.indexOf(":");
  const [name, key] = colon < 0 ? ["create", entry] : [entry.slice(0, colon), entry.slice(colon + 1)];
  const role = apiKeyRoles.find((candidate) => candidate === name);
  // A misspelt role must not become part of a key. The text may be a key, so the message does not repeat it.
  if (role === undefined)
    throw new Error(`must be a list of role:key with the roles ${apiKeyRoles.join(" and ")}; the ${place} has another`);
  if (key === "" || apiKeyRoles.some((candidate) => candidate === key)) throw new Error("must be a list of role:key without empty keys");
  return { role, key };
}

function ordinal(place: number): string {
  return place === 1 ? "first" : place === 2 ? "second" : place === 3 ? "third" : `${place}th`;
}
