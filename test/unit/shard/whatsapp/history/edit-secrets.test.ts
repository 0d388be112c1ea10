import { expect, it } from "vitest";
import { editSecretOf, editSecretsIn } from "../../../../../shard/whatsapp/history/edit-secrets.js";

const secret = Buffer.alloc(32, 1);

it("a message has the secret that its phone has given it", () => {
  expect(editSecretOf({ messageContextInfo: { messageSecret: secret } })).toBe(secret.toString("base64"));
  for (const messageContextInfo of [undefined, {}, { messageSecret: Buffer.alloc(16) }, { messageSecret: Buffer.alloc(4_096) }])
    expect(editSecretOf(messageContextInfo ? { messageContextInfo } : {})).toBeUndefined();
});

it("the secrets of all messages with an id are found, the newest first", () => {
  const entry = (id: string, kept: { secret?: string }) => ({ at: "1-0", id: "e", type: "message.new", data: { id }, ...kept });
  const newer = Buffer.alloc(32, 2);
  const entries = [
    entry("M0", { secret: secret.toString("base64") }),
    entry("M1", { secret: "AAAA" }),
    entry("M0", {}),
    entry("M0", { secret: newer.toString("base64") }),
    { at: "1-0", id: "e", type: "message.deleted", data: {}, secret: "AAAA" },
  ];
  expect(editSecretsIn(entries, "M0")).toEqual([newer, secret]);
  expect(editSecretsIn(entries, "M2")).toEqual([]);
});
