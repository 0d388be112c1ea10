import { STATUS_CODES } from "node:http";

/**
 * Why a download failed, in terms that a caller may read. It names no address, port state or text of the other server, which would make us
 * a scanner.
 */
export type DownloadFault =
  | "invalid url"
  | "blocked address"
  | "blocked port"
  | "dns"
  | "tls"
  | "connection failed"
  | "timeout"
  | "too large"
  | "empty file"
  | "too many redirects"
  | "too many downloads"
  | `${number} ${string}`;

/**
 * A file that could not be fetched. `sentence` is public and follows `error parser file from url `; it begins with `detail`, which metrics
 * count. `cause` is for our log, which names no host.
 */
export class DownloadError extends Error {
  constructor(
    readonly detail: DownloadFault,
    cause?: unknown,
    private readonly why?: string,
  ) {
    super(detail, { cause: cause instanceof Error ? withoutMessages(cause) : cause });
    this.name = "DownloadError";
  }

  get sentence(): string {
    return this.why === undefined ? this.detail : `${this.detail}: ${this.why}`;
  }
}

/** Returns the names and codes of an error and its causes. Their messages name the host of the tenant's link. */
function withoutMessages(error: Error): string {
  const names: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    names.push("code" in cause && typeof cause.code === "string" ? `${cause.name} ${cause.code}` : cause.name);
  return names.join(", ");
}

/** Uses our own text for a status, because the server chooses the text that it sends. */
export function statusError(status: number): DownloadError {
  return new DownloadError(`${status} ${STATUS_CODES[status] ?? "Unknown"}`);
}

/** Translates the errors of undici, the TLS layer, the resolver and the file system. */
export function toDownloadError(error: unknown, unknownCode: "connection failed" | "dns" = "connection failed"): DownloadError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DownloadError) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT" || code === "ETIMEDOUT")
      return new DownloadError("timeout", error, "no connection in time");
    if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW")
      return new DownloadError("connection failed", error, "the response's headers are larger than 16 KiB");
    if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code)) return new DownloadError("dns", error, whyOfDns(code));
    if (/^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(code))
      return new DownloadError("tls", error, whyOfTls(code));
    if (code === "ENOSPC" || code === "EDQUOT") return new DownloadError("too many downloads", error);
  }
  return new DownloadError(unknownCode, error);
}

function whyOfDns(code: string): string {
  return /^(ENOTFOUND|ENODATA|EAI_NONAME)$/.test(code) ? "the host name does not exist" : "the name server did not answer";
}

function whyOfTls(code: string): string {
  if (code === "CERT_HAS_EXPIRED") return "the certificate has expired";
  if (code === "CERT_NOT_YET_VALID") return "the certificate is not valid yet";
  if (/ALTNAME_INVALID|HOSTNAME_MISMATCH/.test(code)) return "the certificate is for another host name";
  if (/^(DEPTH_ZERO_)?SELF_SIGNED/.test(code)) return "the certificate is self-signed";
  if (/^UNABLE_TO_/.test(code)) return "the certificate's issuer is not known";
  return "the server offers no TLS that can be used";
}
