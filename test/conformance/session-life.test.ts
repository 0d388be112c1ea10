import jsQR from "jsqr";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Platform } from "../../shared/contract/platform.js";
import { pause } from "../../shared/flow/pause.js";
import { createSession, loggedIn, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { logInAlices, type Alices } from "./alices.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";
import { error, notConnected, sessionNotFound } from "./refused.js";
import { credentialsOf, sendTo } from "./send-to.js";

/**
 * Tests a session from POST /session to DELETE /session, with every way to log out and in, on real processes: two routers and two shards.
 */
let gateway: Gateway;
let alices: Alices;
const firstCodes = new Map<Platform, Promise<number>>();
beforeAll(async () => {
  gateway = await startGateway({ routers: 2, shards: 2 });
  for (const { platform, qrRefreshMs } of eachPlatform) {
    if (qrRefreshMs === undefined) continue;
    const shownMs = firstCodeMs(platform);
    // The test that waits for this promise reports the failure.
    shownMs.catch(() => undefined);
    firstCodes.set(platform, shownMs);
  }
  alices = await logInAlices(gateway);
});
afterAll(() => gateway.stop());

const qrOf = (caller: Caller): Promise<string> => eventually("a qrcode", async () => (await caller.record()).qrcode);
const connected = (caller: Caller): Promise<true> => eventually("connected", async () => (await caller.record()).isConnected);

/** Resolves with the time for which a session's first code is shown. */
async function firstCodeMs(platform: Platform): Promise<number> {
  const caller = await createSession(gateway, platform);
  const first = await qrOf(caller);
  const shownAt = performance.now();
  const isNext = async (): Promise<boolean> => {
    // The record is polled all the while, with this pause to save work.
    await pause(250);
    const { qrcode } = await caller.record();
    return qrcode !== "" && qrcode !== first;
  };
  await eventually("the next qrcode", isNext);
  return performance.now() - shownAt;
}

const waitingRecord = {
  ...{ generatedId: "", name: "", username: "", phone: "", picture: "", webhook: { url: "", token: "" } },
  ...{ isConnected: false, isPasswordRequired: false, passwordHint: "" },
};

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform, endpoints, qrText, ownFields, grace } = underTest;
  let side: BobSide;
  beforeAll(() => {
    side = new BobSide(gateway, underTest);
  });

  /** Requires that a code is shown, and no account. `more` holds the reason when the account left by itself. */
  const expectWaiting = async (caller: Caller, more: object = {}): Promise<void> => {
    await qrOf(caller);
    expect(await caller.record()).toEqual({
      ...caller.credentials,
      ...waitingRecord,
      ...ownFields,
      qrcode: expect.any(String) as string,
      ...more,
    });
  };

  describe("login by QR", () => {
    it("shows a code that a camera can read, and nothing else", async () => {
      const caller = await createSession(gateway, platform);
      const { data, info } = await sharp(Buffer.from(await qrOf(caller), "base64"))
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.width).toBeGreaterThanOrEqual(300);
      expect(jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toMatch(qrText);
      await expectWaiting(caller);
    });

    it("connects, with the whole record", async () => {
      const caller = await loggedIn(gateway, "grace", platform);
      // Name and picture are fetched after the account is connected.
      const { picture } = await eventually("name and picture", async () => {
        const record = await caller.record();
        return record.name !== "" && record.picture !== "" && record;
      });
      const matching = (wanted: string | RegExp): unknown => (typeof wanted === "string" ? wanted : expect.stringMatching(wanted));
      expect(await caller.record()).toEqual({
        ...caller.credentials,
        ...waitingRecord,
        ...ownFields,
        isConnected: true,
        qrcode: "",
        phone: await side.phoneOf("grace"),
        generatedId: matching(grace.generatedId),
        name: matching(grace.name),
        username: grace.username,
        picture,
      });
      const jpeg = /^data:image\/jpeg;base64,(.+)$/.exec(picture)?.[1];
      expect((await sharp(Buffer.from(jpeg ?? "", "base64")).metadata()).format).toBe("jpeg");
    });
  });

  it("from creation to deletion, by way of a reset", async () => {
    const caller = await loggedIn(gateway, "kenji", platform);
    await side.receives(caller, "kenji", "before the reset");
    expect(await caller.send("POST", "/session/reset")).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
    await expectWaiting(caller);
    await eventually("logged out on the platform", async () => (await side.holders("kenji")).length === 0);

    expect((await caller.scan("kenji")).status).toBe(200);
    await connected(caller);
    await side.receives(caller, "kenji", "after the reset");
    expect(await caller.send("DELETE", "/session")).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
    await eventually("logged out on the platform", async () => (await side.holders("kenji")).length === 0);
    expect((await side.post("/phone/unlink", { account: "kenji" })).status).toBe(404);
    for (const base of gateway[platform]) {
      for (const { route, body } of Object.values(endpoints))
        expect(await sendTo(base, route, credentialsOf(caller), body), route).toEqual(error(sessionNotFound));
    }
  });

  it("a second login of the same account is another one: both send, and each ends alone", async () => {
    const first = await loggedIn(gateway, "heidi", platform);
    const second = await loggedIn(gateway, "heidi", platform);
    expect(await side.holders("heidi")).toHaveLength(2);
    await side.receives(first, "heidi", "from the first login");
    await side.receives(second, "heidi", "from the second login");
    expect(await first.send("DELETE", "/session")).toMatchObject({ status: 200 });
    await eventually("the first login's end", async () => (await side.holders("heidi")).length === 1);
    await side.receives(second, "heidi", "from the one that is left");
    expect(await second.record()).toMatchObject({ isConnected: true });
  });

  it("signed out on the phone: a new QR right away, which leads back in", async () => {
    const caller = await loggedIn(gateway, "ivan", platform);
    expect(await caller.record()).not.toHaveProperty("lastError");
    expect((await side.post("/phone/unlink", { account: "ivan" })).status).toBe(200);
    await eventually("not connected any more", async () => !(await caller.record()).isConnected);
    await expectWaiting(caller, { lastError: expect.stringMatching(/^login was ended by the platform/) as string });
    expect(await caller.send("POST", "/message", { ...(await side.bob()), type: "text", text: "signed out" })).toMatchObject(
      error(notConnected),
    );
    expect(await side.messages("ivan", "signed out")).toEqual([]);
    expect((await caller.scan("ivan")).status).toBe(200);
    await connected(caller);
    expect(await caller.record()).not.toHaveProperty("lastError");
    await side.receives(caller, "ivan", "in again");
  });

  it("a connection that is lost: back by itself, without a QR", async () => {
    const caller = await loggedIn(gateway, "judy", platform);
    const [before] = await side.holders("judy");
    await side.fault({ account: "judy", kind: "drop" });
    await eventually("groups again", async () => (await caller.get("/group")).status === 200);
    await connected(caller);
    expect((await caller.record()).qrcode).toBe("");
    const holders = await side.holders("judy");
    expect(holders.map(({ key }) => key)).toEqual([before?.["key"]]);
    expect(holders[0]?.["openedAt"]).not.toBe(before?.["openedAt"]);
  });

  it("a connected session writes to a group, posts a status and shows that it types", async () => {
    const alice = alices[platform];
    const { group } = await side.family(alice);
    await side.receives(alice, "alice", "to all of you", { group });
    expect((await side.messages("alice", "to all of you")).map(({ chat }) => chat)).toEqual([group]);
    expect(await alice.send("POST", "/status", { type: "text", text: "on my way" })).toMatchObject({
      status: 200,
      body: { statusId: expect.stringMatching(/^\S+$/) as string },
    });
    expect(await alice.send("POST", "/typing", await side.bob())).toMatchObject({ status: 200, body: { id: alice.credentials.id } });
  });

  it("two routers see the same session, and send for it", async () => {
    const alice = alices[platform];
    expect(await alice.through(1).record()).toEqual(await alice.record());
    await side.receives(alice, "alice", "through the first");
    await side.receives(alice.through(1), "alice", "through the second");
    const gone = await createSession(gateway, platform);
    expect(await gone.through(1).send("DELETE", "/session")).toMatchObject({ status: 200, body: { id: gone.credentials.id } });
    expect(await gone.get("/session")).toMatchObject(error(sessionNotFound));
  });
});

// Runs last, when most of the wait is over.
it.each(eachPlatform.filter(({ qrRefreshMs }) => qrRefreshMs !== undefined))(
  "$platform: a QR is shown for a while, and then the next one",
  async ({ platform, qrRefreshMs = 0 }) => {
    expect(await firstCodes.get(platform)).toBeGreaterThan(qrRefreshMs / 2);
  },
);

describe("over Ctrl-C and a second start", () => {
  const before = new Map<Platform, unknown>();
  beforeAll(async () => {
    for (const { platform } of eachPlatform) before.set(platform, await alices[platform].record());
    expect(await gateway.interrupt()).toBe(0);
    gateway = await startGateway({ routers: 2, shards: 2, from: gateway });
  });

  it.each(eachPlatform)(
    "$platform: connected again without a QR, the same record, still understood, one owner at a time",
    async (underTest) => {
      const [alice, side] = [alices[underTest.platform], new BobSide(gateway, underTest)];
      await connected(alice);
      expect(await alice.record()).toEqual(before.get(underTest.platform));
      await side.receives(alice, "alice", "after the restart");
      expect(await side.holders("alice")).toHaveLength(1);
      expect(await side.overlaps()).toEqual([]);
    },
  );
});
