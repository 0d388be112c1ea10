/** Messages of the server or library that prove a wrong setting, so that a retry would not help. */
const troubles: readonly (readonly [said: RegExp, sentence: string])[] = [
  [/^WRONGPASS|invalid password|invalid username-password/, "has a user or password that Redis does not take"],
  [/^NOAUTH/, "has no password, and Redis wants one"],
  [/^NOPERM/, "names a user that may not do what is needed: make it by deploy/manifests/redis/make-users.mjs"],
  [/DB index is out of range|invalid DB index/i, "names a database that this Redis does not have"],
  [/^DENIED/, "names a Redis in protected mode, which answers its own host alone: give it a password"],
  [/cluster support disabled|unknown command ['`"]?cluster/i, "names no node of a Redis Cluster: write redis://host:port"],
  [/unknown command ['`"]?sentinel/i, "names no Sentinel: write redis://host:port"],
  [/No such master with that name|invalid reply: null/, "ends with a name that no Sentinel there has for a master"],
  [
    /certificate[_ ]required|TLSV13_ALERT_CERTIFICATE_REQUIRED|SSLV3_ALERT_HANDSHAKE_FAILURE/i,
    "wants our certificate: set REDIS_TLS_CERT and REDIS_TLS_KEY",
  ],
  [/UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN/i, "does not take our certificate: REDIS_TLS_CERT is signed by nobody whom it trusts"],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, "names a host that its certificate is not made out to"],
  [/CERT_HAS_EXPIRED/, "names a server whose certificate has expired"],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|DEPTH_ZERO/,
    "names a server whose certificate is signed by nobody whom we trust: name who signed it with REDIS_TLS_CA_FILE",
  ],
];

/**
 * Returns what is wrong with the setting, in words that continue its name; undefined if nothing is certain, for example without a
 * response. Pure.
 */
export function settingTrouble(error: unknown, spoken: Spoken | undefined, encrypted: boolean): string | undefined {
  if (spoken === "plain" && encrypted)
    return "wants TLS of a server that speaks none there: write redis:// instead of rediss://, or its TLS port";
  if (spoken === "tls" && !encrypted) return "names a port that speaks TLS: write rediss:// instead of redis://";
  const said = textsOf(error);
  return troubles.find(([pattern]) => said.some((text) => pattern.test(text)))?.[1];
}

/** Protocol of a port, if it is known. */
export type Spoken = "plain" | "tls";

function textsOf(error: unknown): string[] {
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error && texts.length < 20; cause = cause.cause) {
    texts.push(cause.message);
    if ("code" in cause && typeof cause.code === "string") texts.push(cause.code);
  }
  return texts;
}
