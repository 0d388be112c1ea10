import { expect, it } from "vitest";
import { DownloadError, toDownloadError } from "../../../../shard/download/download-error.js";

it("names the kind of a network's error, and no host", () => {
  const cause = Object.assign(new Error("getaddrinfo ENOTFOUND secret-host.example"), { code: "ENOTFOUND" });
  const error = toDownloadError(new TypeError("fetch of secret-host.example failed", { cause }));
  expect(error).toMatchObject({ detail: "dns", cause: "TypeError, Error ENOTFOUND" });
  expect(new DownloadError("blocked address", "resolved").cause).toBe("resolved");
});
