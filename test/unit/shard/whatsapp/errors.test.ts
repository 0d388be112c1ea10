import { describe, expect, it } from "vitest";
import { channelNotFound } from "../../../../shared/contract/whatsapp/errors.js";
import { toApiError } from "../../../../shard/whatsapp/errors.js";
import { ConnectionLost, MessageRefused, QueryTimeout, UploadFailed } from "../../../../shard/whatsapp/network/connection-error.js";

const boom = (message: string, statusCode: number, data?: unknown): Error => Object.assign(new Error(message), { isBoom: true, output: { statusCode }, data });

describe("toApiError", () => {
  it.each([
    ["a lost connection", new ConnectionLost(428), "session not connected"],
    ["silence", new QueryTimeout(), "session not connected"],
    ["the library's own word for a closed connection", boom("Connection Closed", 428), "session not connected"],
    ["a refused message", new MessageRefused("463"), "463"],
    ["an answer of the platform", boom("item-not-found", 500, 404), "404: item-not-found"],
    ["an answer without code", boom("All encryptions failed", 500), "All encryptions failed"],
    ["media that no host takes", new UploadFailed(undefined), "Media upload failed on all hosts"],
  ])("words %s", (_, error, message) => {
    expect(toApiError(error)).toMatchObject({ name: "ApiError", status: 500, message });
  });
  it("leaves what it does not know, and what is worded already", () => {
    const defect = new TypeError("x");
    const worded = channelNotFound();
    expect(toApiError(defect)).toBe(defect);
    expect(toApiError(worded)).toBe(worded);
  });
});
