import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pause } from "../../shared/flow/pause.js";
import type { Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { logInAlices, type Alices } from "./alices.js";
import { BobSide, type Indicator } from "./bob-side.js";
import type { TestContacts } from "./platform-under-test.js";
import { eachPlatform } from "./platforms-under-test.js";
import { badRequest, error } from "./refused.js";

/** POST /typing: checks what the platform receives, and how the indicator ends on platforms that do not end it. */
let gateway: Gateway;
let alices: Alices;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  alices = await logInAlices(gateway);
});
afterAll(() => gateway.stop());

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform, typingTo, refusedTyping } = underTest;
  let caller: Caller;
  let side: BobSide;
  let contacts: TestContacts;
  beforeAll(async () => {
    caller = alices[platform];
    side = new BobSide(gateway, underTest);
    const bob = (await side.docs(`/accounts?platform=${platform}`)).find((row) => row["account"] === "bob");
    contacts = { phone: String(bob?.["phone"]), userId: String(bob?.["userId"]), ...(await side.family(caller)) };
  });

  describe.each(typingTo)("to $name", ({ to, chat }) => {
    it.each<[object, string]>([
      [{}, "text"],
      [{ type: "text" }, "text"],
      [{ type: "audio" }, "audio"],
    ])("%j is shown as %s, there and nowhere else", async (type, action) => {
      const before = await side.indicators("alice");
      expect(await caller.send("POST", "/typing", { ...to(contacts), ...type })).toMatchObject({
        status: 200,
        body: { id: caller.credentials.id },
      });
      const shown = (await side.indicators("alice")).slice(before.length).filter((row) => row.action !== "cancel");
      expect(shown.map((row) => [row.chat, row.action])).toEqual([[chat(contacts), action]]);
    });
  });

  it.each(refusedTyping)("refuses %j: 400 %s", async (body, message) => {
    const before = await side.indicators("alice");
    expect(await caller.send("POST", "/typing", body)).toMatchObject(error(badRequest(message)));
    expect((await side.indicators("alice")).slice(before.length).filter((row) => row.action !== "cancel")).toEqual([]);
  });
});

describe.each(eachPlatform.flatMap(({ typingMs, ...underTest }) => (typingMs === undefined ? [] : [{ ...underTest, typingMs }])))(
  "$platform, where we take the indicator away",
  (underTest) => {
    const { platform, typingMs, typingTo } = underTest;
    let caller: Caller;
    let side: BobSide;
    let chatOf: (phone: string) => string;
    beforeAll(() => {
      caller = alices[platform];
      side = new BobSide(gateway, underTest);
      chatOf = (phone) => typingTo[0]?.chat({ phone, userId: "", group: "" }) ?? "";
    });

    const rowsOf = async (chat: string): Promise<Indicator[]> => (await side.indicators("alice")).filter((row) => row.chat === chat);
    const gone = (chat: string): Promise<Indicator[]> =>
      eventually("the indicator gone", async () => {
        const rows = await rowsOf(chat);
        return rows.at(-1)?.action === "cancel" && rows;
      });
    /** Unit tests check the exact time with a fake clock. The end of the indicator depends on this machine. */
    const leastMs = typingMs - 50;

    it("it is shown for its time, in a chat and in a group", async () => {
      const { group } = await side.family(caller);
      await gone(group);
      const chats = [
        { to: { phone: await side.phoneOf("erin") }, action: "text" },
        { to: { phone: await side.phoneOf("carol"), type: "audio" }, action: "audio" },
        { to: { group, type: "audio" }, action: "audio" },
      ];
      await Promise.all(
        chats.map(async ({ to, action }) => {
          const chat = "group" in to ? to.group : chatOf(to.phone);
          const before = (await rowsOf(chat)).length;
          const requestedAt = Date.now();
          expect((await caller.send("POST", "/typing", to)).status).toBe(200);
          await eventually("shown", async () => (await rowsOf(chat)).length > before);
          const rows = (await gone(chat)).slice(before);
          expect(rows.map((row) => row.action)).toEqual([action, "cancel"]);
          expect(Date.parse(rows[1]?.at ?? "") - requestedAt).toBeGreaterThan(leastMs);
        }),
      );
    });

    it("it is shown for its time from the last call", async () => {
      // Retries with another account if the machine let the first call's time pass before the second call.
      for (const account of ["ivan", "kenji", "mallory"]) {
        const phone = await side.phoneOf(account);
        const chat = chatOf(phone);
        await caller.send("POST", "/typing", { phone });
        await pause(2_000);
        const requestedAt = Date.now();
        await caller.send("POST", "/typing", { phone });
        await eventually("both calls", async () => (await rowsOf(chat)).filter((row) => row.action === "text").length === 2);
        const rows = await gone(chat);
        if (rows[1]?.action === "cancel") continue;
        expect(rows.map((row) => row.action)).toEqual(["text", "text", "cancel"]);
        expect(Date.parse(rows[2]?.at ?? "") - requestedAt).toBeGreaterThan(leastMs);
        return;
      }
      throw new Error("three times the indicator's time passed between two calls");
    });

    it("it is gone when the shard stops meanwhile", async () => {
      const phone = await side.phoneOf("judy");
      expect((await caller.send("POST", "/typing", { phone })).status).toBe(200);
      process.kill(await gateway.shardPid("shard-1"), "SIGTERM");
      expect((await gone(chatOf(phone))).map((row) => row.action)).toEqual(["text", "cancel"]);
    });
  },
);
