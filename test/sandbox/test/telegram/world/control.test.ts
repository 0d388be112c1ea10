import bigInt from "big-integer";
import sharp from "sharp";
import { Api } from "telegram";
import type { StringSession } from "telegram/sessions/index.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestSandbox } from "./sandbox-client.js";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.start();
});
afterAll(async () => {
  await sandbox.stop();
});

it("serves sample files of every kind", async () => {
  const types = {
    "photo.jpg": "image/jpeg",
    "photo.png": "image/png",
    "photo.webp": "image/webp",
    "video.mp4": "video/mp4",
    "audio.mp3": "audio/mpeg",
    "document.pdf": "application/pdf",
    "broken.jpg": "image/jpeg",
    "bomb.png": "image/png",
  };
  for (const [name, type] of Object.entries(types)) {
    const response = await sandbox.file(name);
    expect([name, response.status, response.headers.get("content-type")]).toEqual([name, 200, type]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(300);
  }
  const bomb = await sharp(Buffer.from(await (await sandbox.file("bomb.png")).arrayBuffer()), { limitInputPixels: false }).metadata();
  expect([bomb.width, bomb.height]).toEqual([16_384, 16_384]);
  await expect(
    sharp(Buffer.from(await (await sandbox.file("broken.jpg")).arrayBuffer()))
      .raw()
      .toBuffer(),
  ).rejects.toThrow();
});

it.each([
  ["GET", "/nothing", undefined, 404, "Cannot GET /nothing"],
  ["GET", "/files/none.jpg", undefined, 404, "file not found"],
  [
    "POST",
    "/phone/scan",
    { platform: "signal", account: "alice", qrcode: "x" },
    400,
    "platform must be one of the following values: telegram, whatsapp",
  ],
  ["POST", "/phone/unlink", { platform: "telegram", account: "nobody" }, 404, "account not found"],
  [
    "POST",
    "/faults",
    { platform: "telegram", kind: "earthquake" },
    400,
    "kind must be one of the following values: flood-wait, error, delay, stall, drop, refuse, logout, replaced, lost-ack, expired-reference, gap, restricted, updates-too-long, reorder, duplicate, difference-too-long",
  ],
  ["POST", "/people/send", { platform: "telegram", account: "alice", chat: "no such chat" }, 404, "chat not found"],
  ["POST", "/accounts", { platform: "telegram", account: "alice" }, 409, "account, username or phone already exists"],
  ["POST", "/accounts", { platform: "telegram", account: "fine", contacts: -1 }, 400, "contacts must be a number that is not negative"],
] as const)("answers %s %s with %j: %i", async (method, path, body, statusCode, message) => {
  expect(await sandbox.control(method, path, body)).toEqual({ status: statusCode, body: { statusCode, message } });
});

it("refuses bodies above 1 MiB and bodies that are no JSON", async () => {
  expect((await sandbox.control("POST", "/accounts", { platform: "telegram", account: "x".repeat(2 ** 20) })).status).toBe(413);
  const { status } = await fetch(sandbox.url("/accounts"), { method: "POST", body: "{" });
  expect(status).toBe(400);
});

it("makes accounts with as many chats as asked for, and keeps everything over a restart", async () => {
  const made = await sandbox.control("POST", "/accounts", {
    platform: "telegram",
    account: "nora",
    name: "Nora",
    contacts: 5,
    groups: 4,
    channels: 3,
    members: 50,
  });
  expect(made.body).toMatchObject({ platform: "telegram", account: "nora", password: "" });
  const client = await sandbox.loggedIn("nora");
  const dialogs = await client.invoke(
    new Api.messages.GetDialogs({ offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty(), limit: 100, hash: bigInt.zero }),
  );
  if (!(dialogs instanceof Api.messages.Dialogs)) throw new Error(dialogs.className);
  expect(dialogs.dialogs).toHaveLength(12);
  await client.invoke(new Api.messages.SendMessage({ peer: new Api.InputPeerSelf(), message: "note to self" }));
  const state = await client.invoke(new Api.updates.GetState());
  const stored = (client.session as StringSession).save();
  await client.destroy();
  await sandbox.restart();
  const again = sandbox.client(stored);
  await again.connect();
  expect((await again.invoke(new Api.updates.GetState())).pts).toBe(state.pts);
  expect(await sandbox.docs("/received?platform=telegram&account=nora")).toMatchObject([{ type: "message", text: "note to self" }]);
  const after = await again.invoke(
    new Api.messages.GetDialogs({ offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty(), limit: 100, hash: bigInt.zero }),
  );
  if (!(after instanceof Api.messages.Dialogs)) throw new Error(after.className);
  const names = (chats: Api.TypeChat[]) => chats.map(({ id }) => id.toString()).sort();
  expect(names(after.chats)).toEqual(names(dialogs.chats));
  expect(after.messages[0]).toMatchObject({ message: "note to self" });
});

it("shows who is connected", async () => {
  await sandbox.loggedIn("judy");
  const docs = await sandbox.docs("/connections?platform=telegram");
  expect(docs.filter(({ account }) => account === "judy")).toMatchObject([
    { platform: "telegram", main: true, remoteAddress: "127.0.0.1" },
  ]);
});
