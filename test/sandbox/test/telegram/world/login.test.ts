import { Api } from "telegram";
import type { StringSession } from "telegram/sessions/index.js";
import { computeCheck } from "telegram/Password.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestSandbox, exportToken } from "./sandbox-client.js";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.start();
});
afterAll(async () => {
  await sandbox.stop();
});

it("lists a dozen accounts, two of them with a password", async () => {
  const docs = await sandbox.docs("/accounts");
  expect(docs.length).toBeGreaterThanOrEqual(12);
  expect(docs.filter(({ password }) => password !== "")).toHaveLength(2);
  expect(docs[0]).toMatchObject({ platform: "telegram", account: "alice", phone: "15550100001", userId: "5100000000" });
});

it("logs in by a scanned QR code", async () => {
  const client = await sandbox.scanned("alice");
  const result = await exportToken(client);
  expect(result).toBeInstanceOf(Api.auth.LoginTokenSuccess);
  const [me] = await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }));
  expect(me).toMatchObject({ firstName: "Alice", username: "alice_sandbox", phone: "15550100001", self: true });
});

it("moves an account of another data centre there", async () => {
  const client = await sandbox.loggedIn("carol");
  expect(client.session.dcId).toBe(2);
  const [me] = await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }));
  expect(me).toMatchObject({ firstName: "Carol" });
});

it("asks for the password, says no to a wrong one and lets the right one in", async () => {
  const client = await sandbox.scanned("dave");
  await expect(exportToken(client)).rejects.toThrow("SESSION_PASSWORD_NEEDED");
  const question = await client.invoke(new Api.account.GetPassword());
  expect(question.hint).toBe("battery staple");
  await expect(client.invoke(new Api.auth.CheckPassword({ password: await computeCheck(question, "wrong") }))).rejects.toThrow(
    "PASSWORD_HASH_INVALID",
  );
  await expect(client.invoke(new Api.auth.CheckPassword({ password: await computeCheck(question, "correct horse") }))).rejects.toThrow(
    "SRP_ID_INVALID",
  );
  const again = await client.invoke(new Api.account.GetPassword());
  const result = await client.invoke(new Api.auth.CheckPassword({ password: await computeCheck(again, "correct horse") }));
  expect(result).toMatchObject({ user: { firstName: "Dave" } });
});

it("demands a wait after five wrong passwords", async () => {
  const client = await sandbox.scanned("erin");
  const result = await exportToken(client);
  if (!(result instanceof Api.auth.LoginTokenMigrateTo)) throw new Error("erin lives elsewhere");
  await client._switchDC(result.dcId);
  await expect(client.invoke(new Api.auth.ImportLoginToken({ token: result.token }))).rejects.toThrow("SESSION_PASSWORD_NEEDED");
  const attempt = async (): Promise<unknown> => {
    const question = await client.invoke(new Api.account.GetPassword());
    return await client.invoke(new Api.auth.CheckPassword({ password: await computeCheck(question, "wrong") }));
  };
  for (let i = 0; i < 4; i++) await expect(attempt()).rejects.toThrow("PASSWORD_HASH_INVALID");
  await expect(attempt()).rejects.toThrow("A wait of 86 seconds is required (caused by auth.CheckPassword)");
});

it("ends a login when the phone removes the device", async () => {
  const client = await sandbox.loggedIn("frank");
  const { status } = await sandbox.control("POST", "/phone/unlink", { platform: "telegram", account: "frank" });
  expect(status).toBe(200);
  await expect(client.invoke(new Api.updates.GetState())).rejects.toThrow("SESSION_REVOKED");
});

it("refuses a code twice and an image without a code", async () => {
  const scan = (qrcode: string) => sandbox.control("POST", "/phone/scan", { platform: "telegram", account: "ivan", qrcode });
  expect(await scan("AAAA")).toEqual({ status: 400, body: { statusCode: 400, message: "qrcode is not readable" } });
  const { default: qrcode } = await import("qrcode");
  const image = await qrcode.toBuffer(`tg://login?token=${Buffer.alloc(32, 7).toString("base64url")}`);
  expect(await scan(image.toString("base64"))).toEqual({ status: 410, body: { statusCode: 410, message: "expired" } });
});

it("stays logged in over a restart of the sandbox", async () => {
  const client = await sandbox.loggedIn("bob");
  const stored = (client.session as StringSession).save();
  await client.destroy();
  await sandbox.restart();
  const again = sandbox.client(stored);
  await again.connect();
  const [me] = await again.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }));
  expect(me).toMatchObject({ firstName: "Bob" });
});
