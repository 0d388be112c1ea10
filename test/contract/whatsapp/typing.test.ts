import { afterAll, beforeAll, expect, it } from "vitest";
import type { Group } from "../../../shared/contract/whatsapp/group.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startGateway, type Gateway } from "../../harness/gateway.js";
import { WhatsAppSide, type Row } from "../../harness/whatsapp-side.js";

/** POST /typing: shown for 5 seconds, then gone by itself. */
let gateway: Gateway;
let platform: WhatsAppSide;
let caller: Caller;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  platform = new WhatsAppSide(gateway);
  caller = await loggedIn(gateway, "alice", "whatsapp");
}, 180_000);
afterAll(() => gateway.stop());

const rowsOf = async (chat: string): Promise<Row<"typing">[]> =>
  (await platform.received("alice", "typing")).filter((row) => row.chat === chat);
const gone = (chat: string): Promise<Row<"typing">[]> =>
  eventually("the indicator gone", async () => {
    const rows = await rowsOf(chat);
    return rows.at(-1)?.action === "cancel" ? rows : undefined;
  });

it.each([
  [{}, "text"],
  [{ type: "text" }, "text"],
  [{ type: "audio" }, "audio"],
])("shows %j to a phone for 5 seconds", async (type, action) => {
  const phone = await platform.phoneOf(action === "audio" ? "carol" : "type" in type ? "erin" : "bob");
  const askedAt = Date.now();
  const answer = await caller.send("POST", "/typing", { phone: `+${phone}`, ...type });
  expect(answer).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
  const rows = await gone(`${phone}@s.whatsapp.net`);
  expect(rows.map((row) => row.action)).toEqual([action, "cancel"]);
  // How soon after 5 s, unit tests hold by a clock of their own: here it is for the machine to say.
  expect(Date.parse(rows[1]?.at ?? "") - askedAt).toBeGreaterThan(4_950);
});

it("shows it in the group when both are given", async () => {
  const [group] = ((await caller.get("/group")).body as { docs: Group[] }).docs;
  const phone = await platform.phoneOf("heidi");
  expect(await caller.send("POST", "/typing", { phone, group: group?.id })).toMatchObject({ status: 200 });
  expect((await gone(group?.id ?? "")).map((row) => row.action)).toEqual(["text", "cancel"]);
  expect(await rowsOf(`${phone}@s.whatsapp.net`)).toEqual([]);
});

it("shows recording in a group", async () => {
  const { docs } = (await caller.get("/group")).body as { docs: Group[] };
  const id = docs[1]?.id ?? "";
  expect(await caller.send("POST", "/typing", { group: id, type: "audio" })).toMatchObject({
    status: 200,
    body: { id: caller.credentials.id },
  });
  expect((await gone(id)).map((row) => row.action)).toEqual(["audio", "cancel"]);
});

it("lasts 5 seconds from the last call", async () => {
  // Another try where the machine let the 5 seconds of the first call pass before the second.
  for (const account of ["ivan", "kenji", "mallory"]) {
    const phone = await platform.phoneOf(account);
    await caller.send("POST", "/typing", { phone });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const askedAt = Date.now();
    await caller.send("POST", "/typing", { phone });
    const chat = `${phone}@s.whatsapp.net`;
    await eventually("both calls", async () => (await rowsOf(chat)).filter((row) => row.action === "text").length === 2);
    const rows = await gone(chat);
    if (rows[1]?.action === "cancel") continue;
    expect(rows.map((row) => row.action)).toEqual(["text", "text", "cancel"]);
    expect(Date.parse(rows[2]?.at ?? "") - askedAt).toBeGreaterThan(4_950);
    return;
  }
  throw new Error("three times 5 s passed between two calls");
});

it("is gone when the shard stops meanwhile", async () => {
  const phone = await platform.phoneOf("judy");
  expect((await caller.send("POST", "/typing", { phone })).status).toBe(200);
  process.kill(await gateway.shardPid("shard-1"), "SIGTERM");
  expect((await gone(`${phone}@s.whatsapp.net`)).map((row) => row.action)).toEqual(["text", "cancel"]);
});
