import { expect, it } from "vitest";
import { DownloadError, toDownloadError } from "../../../../../shard/files/download/download-error.js";

it("names the kind of a network's error, and no host", () => {
  const cause = Object.assign(new Error("getaddrinfo ENOTFOUND secret-host.example"), { code: "ENOTFOUND" });
  const error = toDownloadError(new TypeError("fetch of secret-host.example failed", { cause }));
  expect(error).toMatchObject({ detail: "dns", cause: "TypeError, Error ENOTFOUND" });
  expect(new DownloadError("blocked address", "resolved").cause).toBe("resolved");
});

it.each([
  ["CERT_HAS_EXPIRED", "tls: the certificate has expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls: the certificate is for another host name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls: the certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls: the certificate is self-signed"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls: the certificate's issuer is not known"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls: the server offers no TLS that can be used"],
  ["ENOTFOUND", "dns: the host name does not exist"],
  ["EAI_AGAIN", "dns: the name server did not answer"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout: no connection in time"],
  ["ECONNREFUSED", "connection failed"],
])("says what %s means, and no state of a port", (code, sentence) => {
  expect(toDownloadError(Object.assign(new Error("10.0.0.1"), { code })).sentence).toBe(sentence);
});
