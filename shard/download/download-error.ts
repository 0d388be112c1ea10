import { STATUS_CODES } from "node:http";

/** Why a download failed, as far as a caller may know. No address, no port state, no word of the other server: they would make a scanner of us. */
export type DownloadFault =
  | "invalid url"
  | "blocked address"
  | "dns"
  | "tls"
  | "connection failed"
  | "timeout"
  | "too large"
  | "empty file"
  | "too many redirects"
  | "too many downloads"
  | `${number} ${string}`;

/** A file that could not be fetched. `detail` is public: it follows `error parser file from url `; `cause` is for our log, which names no host. */
export class DownloadError extends Error {
  constructor(
    readonly detail: DownloadFault,
    cause?: unknown,
  ) {
    super(detail, { cause: cause instanceof Error ? withoutWords(cause) : cause });
    this.name = "DownloadError";
  }
}

/** The names and codes of an error and its causes: what they say names the host of the tenant's link. */
function withoutWords(error: Error): string {
  const names: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    names.push("code" in cause && typeof cause.code === "string" ? `${cause.name} ${cause.code}` : cause.name);
  return names.join(", ");
}

/** Our own text for a status: the one the server sent is the server's to choose. */
export function statusError(status: number): DownloadError {
  return new DownloadError(`${status} ${STATUS_CODES[status] ?? "Unknown"}`);
}

/** Translates what undici, the TLS layer, the resolver and the file system throw. */
export function toDownloadError(error: unknown): DownloadError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DownloadError) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT" || code === "ETIMEDOUT")
      return new DownloadError("timeout", error);
    if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code)) return new DownloadError("dns", error);
    if (/^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(code))
      return new DownloadError("tls", error);
    if (code === "ENOSPC" || code === "EDQUOT") return new DownloadError("too many downloads", error);
  }
  return new DownloadError("connection failed", error);
}
