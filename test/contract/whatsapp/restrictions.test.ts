import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { SessionLimits } from "../../../shared/contract/limits.js";
import { loggedIn, type ApiResponse, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { eventually } from "../../harness/eventually.js";
import { WhatsAppSide } from "../../harness/whatsapp-side.js";

/** The platform announces locks of new chats and a cap on them, and when they end. */
let gateway: TestCluster;
let platform: WhatsAppSide;
let alice: Caller;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new WhatsAppSide(gateway);
  alice = await loggedIn(gateway, "alice", "whatsapp");
}, 120_000);
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

const limits = async (): Promise<SessionLimits> => (await alice.get("/session/limits")).body as SessionLimits;
const isRestricted = async (): Promise<boolean> => (await limits()).restricted;
const restrict = (more: object = {}): Promise<void> => platform.fault({ account: "alice", kind: "restricted", ...more });
const aStranger = async (account: string): Promise<object> => {
  expect((await platform.post("/accounts", { account })).status).toBe(200);
  return { phone: await platform.phoneOf(account) };
};
const say = (to: object): Promise<ApiResponse> => alice.send("POST", "/message", { ...to, type: "text", text: "hello" });

it("a lock that is announced blocks before anything is refused, and its announced end lets first messages go again", async () => {
  const stranger = await aStranger("liam");
  await restrict({ seconds: 3_600 });
  await eventually("restricted", isRestricted);
  expect(await limits()).toMatchObject({ reason: "WhatsApp locked new chats (BIZ_QUALITY)" });
  const before = await platform.calls("message");
  expect(await say(stranger)).toMatchObject({ status: 429 });
  expect(await platform.calls("message")).toBe(before);
  await platform.clearFaults();
  await eventually("no longer restricted", async () => !(await isRestricted()));
  expect(await say(stranger)).toMatchObject({ status: 200 });
});

it("a lock ends at its own time without an announcement", async () => {
  const stranger = await aStranger("lena");
  await restrict({ error: "silent", seconds: 3 });
  expect(await say(stranger)).toMatchObject({ status: 500 });
  expect(await limits()).toMatchObject({ restricted: true });
  await eventually("the end", async () => (await say(stranger)).status === 200);
  expect(await limits()).toMatchObject({ restricted: false, until: "", reason: "" });
});

it("a cap that is reached blocks first messages until the period ends", async () => {
  const stranger = await aStranger("luca");
  await restrict({ error: "cap", seconds: 3_600 });
  await eventually("restricted", isRestricted);
  const found = await limits();
  expect(found).toMatchObject({
    reason: "the number of new chats that WhatsApp allows is used up",
    newChats: { used: 50, cap: 50, resets: found.until },
  });
  expect(await say(stranger)).toMatchObject({ status: 429 });
  await platform.clearFaults();
  await eventually("no longer restricted", async () => !(await isRestricted()));
});

it("a refusal for which the platform names no time counts for a day", async () => {
  const stranger = await aStranger("lily");
  await platform.fault({ account: "alice", kind: "error", method: "mex", error: "500", times: 10 });
  await platform.fault({ account: "alice", kind: "error", method: "message", error: "463" });
  expect(await say(stranger)).toMatchObject({ status: 500 });
  const { restricted, until, reason } = await limits();
  expect({ restricted, reason }).toEqual({ restricted: true, reason: "WhatsApp refused a first message (463)" });
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
});
