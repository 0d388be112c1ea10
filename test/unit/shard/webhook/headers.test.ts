import { expect, it } from "vitest";
import { headersOf } from "../../../../shard/webhook/post.js";

it("signs as Standard Webhooks does", () => {
  // Computed with openssl: printf 'msg_1.1700000000.{"a":1}' | openssl dgst -sha256 -hmac 'secret' -binary | base64
  expect(headersOf(new URL("https://h/x"), "secret", { id: "msg_1", body: Buffer.from('{"a":1}') }, 1_700_000_000_999)).toEqual({
    "content-type": "application/json",
    "user-agent": "Trunkline",
    "x-token": "secret",
    "webhook-id": "msg_1",
    "webhook-timestamp": "1700000000",
    "webhook-signature": "v1,Q5nZ7DiOGwijBBqvBVAK6c0zDr2JLkXI7TaV4f+Q2vY=",
  });
});
