import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemberRow } from "../../router/admin/member-rows.js";
import type { SessionRow } from "../../router/admin/session-row.js";
import type { SlotRow } from "../../router/admin/slots.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { EventStream } from "../harness/event-stream.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

/** Operators list, drain, pin, move, restart and delete on a running cluster while its callers continue. */
let gateway: Gateway;
let telegram: TelegramSide;
let whatsapp: WhatsAppSide;
const callers: { caller: Caller; account: string; platform: "telegram" | "whatsapp" }[] = [];
beforeAll(async () => {
  gateway = await startGateway({ routers: 2, shards: 2, env: { TEST_TIME_PERCENT: "100" } });
  telegram = new TelegramSide(gateway);
  whatsapp = new WhatsAppSide(gateway);
  for (const [account, platform] of [
    ["alice", "telegram"],
    ["bob", "telegram"],
    ["carol", "telegram"],
    ["alice", "whatsapp"],
    ["carol", "whatsapp"],
  ] as const)
    callers.push({ caller: await loggedIn(gateway, account, platform), account, platform });
});
afterAll(() => gateway.stop());

function admin(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  { body, router = 0 }: { body?: unknown; router?: number } = {},
): Promise<ApiResponse> {
  const { origin } = new URL(gateway.telegram[router] ?? "");
  const headers = { "x-api-key": gateway.adminKey, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  return request(`${origin}/admin${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

const events = (router: number): Promise<EventStream> =>
  EventStream.open(`${new URL(gateway.telegram[router] ?? "").origin}/admin/events`, { "x-api-key": gateway.adminKey });

const refused = (statusCode: number, message: string): object => ({ status: statusCode, body: { statusCode, message } });
const members = async (router = 0): Promise<MemberRow[]> =>
  ((await admin("GET", "/members", { router })).body as { docs: MemberRow[] }).docs;
const shard = async (name: string): Promise<MemberRow | undefined> => (await members()).find((member) => member.name === name);
const session = async (caller: Caller): Promise<SessionRow> =>
  (await admin("GET", `/sessions/${caller.credentials.id}`)).body as SessionRow;
const listed = async (query: string, router = 0): Promise<{ docs: SessionRow[]; next: string }> =>
  (await admin("GET", `/sessions?${query}`, { router })).body as { docs: SessionRow[]; next: string };
const owned = async (row: SessionRow): Promise<SlotRow> => (await admin("GET", `/slots/${row.slot}`)).body as SlotRow;
const isWell = async (caller: Caller): Promise<boolean> => {
  const record = await caller.record();
  return record.isConnected && record.qrcode === "";
};
const allWell = (): Promise<boolean> =>
  eventually("every session connected", async () => (await Promise.all(callers.map(({ caller }) => isWell(caller)))).every((well) => well));

/** Callers that send through both routers all the while. Returns the responses other than 200, and the sent messages. */
function traffic() {
  const refusals: string[] = [];
  const sent: { account: string; platform: string; id: string }[] = [];
  let loading = true;
  const runs = callers.map(async ({ caller, account, platform }) => {
    const contact = account === "bob" ? "alice" : "bob";
    const phone = await (platform === "telegram" ? telegram : whatsapp).phoneOf(contact);
    for (let count = 0; loading; count += 1) {
      const through = caller.through(count % 2);
      const message = await through.send("POST", "/message", { phone, type: "text", text: `${account} ${count}` });
      if (message.status === 200) sent.push({ account, platform, id: (message.body as { messageId: string }).messageId });
      else refusals.push(`message: ${message.status} ${JSON.stringify(message.body)}`);
      const groups = await through.get("/group");
      if (groups.status !== 200) refusals.push(`groups: ${groups.status} ${JSON.stringify(groups.body)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  return {
    /** Resolves once the drain has had company, however slow the machine. */
    stop: async () => {
      await eventually("50 messages", () => sent.length > 50);
      loading = false;
      await Promise.all(runs);
      return { refusals, sent };
    },
  };
}

describe("members", () => {
  it("are all listed by each router, with what they carry", async () => {
    for (const router of [0, 1]) {
      const rows = await eventually("a report of each process", async () => {
        const rows = await members(router);
        return rows.length === 5 && rows.every(({ version }) => version !== null) && rows;
      });
      expect(rows.map(({ role, name, state }) => `${role} ${name} ${state}`)).toEqual([
        "router router-1 active",
        "router router-2 active",
        "shard shard-1 active",
        "shard shard-2 active",
        "supervisor supervisor active",
      ]);
      expect(rows.every(({ memoryBytes, loopLagMs }) => (memoryBytes ?? 0) > 10_000_000 && loopLagMs !== null)).toBe(true);
    }
    await eventually("a report since the logins", async () => {
      const shards = (await members()).filter(({ role }) => role === "shard");
      return shards.reduce((sum, { sessions }) => sum + (sessions ?? 0), 0) === callers.length;
    });
  });
  it("come in pages", async () => {
    const first = (await admin("GET", "/members?limit=3")).body as { docs: MemberRow[]; next: string };
    expect(first.docs).toHaveLength(3);
    const second = (await admin("GET", `/members?limit=3&after=${encodeURIComponent(first.next)}`)).body as {
      docs: MemberRow[];
      next: string;
    };
    expect([second.docs.length, second.next]).toEqual([2, ""]);
  });
});

describe("sessions", () => {
  it("are listed by each router, in pages of one, each once", async () => {
    for (const router of [0, 1]) {
      const ids: string[] = [];
      let after = "";
      do {
        const page = await listed(`limit=1&after=${after}`, router);
        ids.push(...page.docs.map(({ id }) => id));
        after = page.next;
      } while (after !== "");
      expect(ids.sort()).toEqual(callers.map(({ caller }) => caller.credentials.id).sort());
    }
  });
  it("are found by platform, state, member, id, phone and username", async () => {
    const rows = (await listed("")).docs;
    expect(
      rows.every(
        ({ state, tenant, member, since }) =>
          state === "connected" && tenant === "default" && member !== "" && !Number.isNaN(Date.parse(since)),
      ),
    ).toBe(true);
    const ids = async (query: string): Promise<string[]> => (await listed(query)).docs.map(({ id }) => id).sort();
    const idsOf = (fits: (row: SessionRow) => boolean): string[] =>
      rows
        .filter(fits)
        .map(({ id }) => id)
        .sort();
    expect(await ids("platform=whatsapp")).toEqual(idsOf(({ platform }) => platform === "whatsapp"));
    expect(await ids("member=shard-1")).toEqual(idsOf(({ member }) => member === "shard-1"));
    expect(await ids("state=awaiting-qr")).toEqual([]);
    const waiting = await createSession(gateway);
    const { id } = waiting.credentials;
    expect(await eventually("the session in front of its QR", async () => (await ids("state=awaiting-qr")).join())).toBe(id);
    expect((await waiting.send("DELETE", "/session")).status).toBe(200);
    expect(await ids("state=awaiting-qr")).toEqual([]);
    const bob = callers[1]?.caller;
    const record = await bob?.record();
    for (const q of [record?.id ?? "", record?.phone ?? "", "@BOB_sandbox"])
      expect((await listed(`q=${encodeURIComponent(q)}`)).docs.map((row) => row.id)).toContain(record?.id);
    expect(await ids("q=nobody-of-that-name")).toEqual([]);
  });
});

describe("an operator's invalid request", () => {
  it.each<["GET" | "POST" | "PUT" | "DELETE", string, unknown, number, string]>([
    ["GET", "/sessions?limit=0", undefined, 400, "limit must be an integer from 1 to 1000"],
    ["GET", "/sessions?after=here", undefined, 400, "after must be the next of a previous page"],
    ["GET", "/sessions?stat=connected", undefined, 400, "unknown field stat"],
    ["GET", "/sessions?platform=signal", undefined, 400, "platform must be one of the following values: whatsapp, telegram"],
    ["GET", "/sessions/65f000000000000000000001", undefined, 404, "session not found"],
    ["DELETE", "/sessions/nobody", undefined, 404, "session not found"],
    ["POST", "/sessions/65f000000000000000000001/restart", { hard: true }, 400, "unknown field hard"],
    ["POST", "/sessions/65f000000000000000000001/restart", undefined, 404, "session not found"],
    ["POST", "/sessions/65f000000000000000000001/move", { member: "shard-1" }, 404, "session not found"],
    ["POST", "/members/shard-9/drain", undefined, 404, "member not found"],
    ["POST", "/members/router-1/drain", undefined, 400, "member must be a shard"],
    ["POST", "/members/shard-1/drain", { force: true }, 400, "unknown field force"],
    ["GET", "/slots/4096", undefined, 404, "slot not found"],
    ["GET", "/slots/seven", undefined, 400, "slot must be an integer from 0 to 4095"],
    ["PUT", "/slots/7/pin", {}, 400, "member should not be empty"],
    ["PUT", "/slots/7/pin", { member: 7 }, 400, "member must be a string"],
    ["PUT", "/slots/7/pin", { member: "shard-1", why: "x" }, 400, "unknown field why"],
    ["PUT", "/slots/7/pin", { member: "shard-9" }, 404, "member not found"],
    ["PUT", "/slots/7/pin", { member: "router-1" }, 400, "member must be a shard"],
  ])("%s %s %o: %i %s", async (method, path, body, status, message) => {
    expect(await admin(method, path, { body })).toMatchObject(refused(status, message));
  });
  it("is 401 without the key, and no key of a session's owner helps", async () => {
    const { origin } = new URL(gateway.telegram[0] ?? "");
    for (const path of ["/sessions", "/members", "/slots/7"])
      expect((await request(`${origin}/admin${path}`, { headers: { "x-api-key": "wrong" } })).status).toBe(401);
  });
});

const lifeOf = (stream: EventStream): string[] =>
  stream.events.flatMap(({ name, data }) => (name === "member" && data["member"] === "shard-1" ? [String(data["state"])] : []));
const takenBy = (stream: EventStream, member: string): unknown[] =>
  stream.events.flatMap(({ name, data }) => (name === "slots" && data["member"] === member ? (data["slots"] as unknown[]) : []));
const loadsOf = (stream: EventStream, member: string): Record<string, unknown>[] =>
  stream.events.flatMap(({ name, data }) => (name === "load" && data["member"] === member ? [data] : []));
const statesOf = (stream: EventStream, caller: Caller): string[] =>
  stream.events.flatMap(({ name, data }) =>
    name === "session" && data["session"] === caller.credentials.id ? [String(data["state"])] : [],
  );

describe("a drain under traffic", () => {
  it("takes every slot from a shard and gives them back, without one failed request, lost login or doubled message", async () => {
    const moving = new Set<string>((await listed("member=shard-1")).docs.map(({ id }) => id));
    const load = traffic();
    const streams = [await events(0), await events(1)];
    expect(await admin("POST", "/members/shard-1/drain", { router: 1 })).toMatchObject({
      status: 200,
      body: { name: "shard-1", drained: true },
    });
    expect(await admin("POST", "/members/shard-2/drain")).toMatchObject(
      refused(409, "member is the last active shard and cannot be drained"),
    );
    await eventually("shard-1 without slots", async () => (await shard("shard-1"))?.state === "drained");
    expect((await listed("member=shard-1")).docs).toEqual([]);
    await eventually(
      "all sessions at shard-2",
      async () => (await listed("member=shard-2&state=connected")).docs.length === callers.length,
    );

    // The drain mark outlives the process.
    const pid = await gateway.shardPid("shard-1");
    process.kill(pid, "SIGTERM");
    await eventually("shard-1 back", async () => (await gateway.shardPid("shard-1")) !== pid);
    expect(
      await eventually("its report", async () => {
        const row = await shard("shard-1");
        return row?.version != null && row;
      }),
    ).toMatchObject({ state: "drained", slots: 0 });

    expect(await admin("POST", "/members/shard-1/undrain")).toMatchObject({ status: 200, body: { name: "shard-1", drained: false } });
    await gateway.settled();
    await allWell();
    const { refusals, sent } = await load.stop();
    for (const stream of streams) {
      // Both routers reported every event live.
      await eventually("the last of it", () => stream.events.length === streams[0]?.events.length && lifeOf(stream).at(-1) === "active");
      // An empty shard drains within a moment, which routers may miss.
      expect(lifeOf(stream).filter((state) => state !== "draining")).toEqual(["gone", "active"]);
      const loads = loadsOf(stream, "shard-1");
      expect(loads.some(({ slots, sessions, drained }) => slots === 0 && sessions === 0 && drained === true)).toBe(true);
      await eventually("what it carries in the end", () => {
        const last = loadsOf(stream, "shard-1").at(-1);
        return last?.["slots"] === takenBy(stream, "shard-1").length && last["drained"] === false;
      });
      expect(new Set(takenBy(stream, "shard-2")).size).toBe(takenBy(stream, "shard-1").length);
      // Sessions moved there and back. Sessions of shard-2 stayed connected.
      const moves = ["disconnected", "connected", "disconnected", "connected"];
      for (const { caller } of callers) expect(statesOf(stream, caller)).toEqual(moving.has(caller.credentials.id) ? moves : []);
      stream.close();
    }
    process.stdout.write(`messages over drain, restart and undrain: ${sent.length}, refused: ${refusals.length}\n`);
    expect(refusals).toEqual([]);
    for (const platform of [telegram, whatsapp])
      expect(await platform.docs(`/overlaps?platform=${platform === telegram ? "telegram" : "whatsapp"}`)).toEqual([]);
    for (const { account, platform } of callers) {
      const accepted = platform === "telegram" ? await telegram.received(account, "message") : await whatsapp.received(account, "message");
      const ids = sent.filter((row) => row.account === account && row.platform === platform).map(({ id }) => id);
      for (const id of ids) expect(accepted.filter((row) => row.id === id)).toHaveLength(1);
    }
  }, 300_000);
});

describe("a session", () => {
  it("moves to the requested member with its slot, and back when its pin is removed", async () => {
    for (const { caller } of callers.slice(2, 4)) {
      const before = await session(caller);
      const next = before.member === "shard-1" ? "shard-2" : "shard-1";
      expect(await admin("POST", `/sessions/${before.id}/move`, { body: { member: next }, router: 1 })).toMatchObject({
        status: 200,
        body: { id: before.id, slot: before.slot, member: next },
      });
      await eventually("the session at its next owner", async () => {
        const row = await session(caller);
        return row.member === next && row.state === "connected";
      });
      expect(await owned(before)).toMatchObject({ slot: before.slot, state: "held", member: next, pin: next });
      expect(await isWell(caller)).toBe(true);
      expect(await admin("DELETE", `/slots/${before.slot}/pin`)).toMatchObject({ status: 200, body: { slot: before.slot, pin: "" } });
      await eventually("the session where the placement has it", async () => {
        const row = await session(caller);
        return row.member === before.member && row.state === "connected";
      });
    }
  });

  it("is pinned by its slot as well", async () => {
    const [{ caller } = { caller: undefined }] = callers;
    if (caller === undefined) throw new Error("no caller");
    const { slot, member } = await session(caller);
    expect(await admin("PUT", `/slots/${slot}/pin`, { body: { member } })).toMatchObject({
      status: 200,
      body: { slot, member, pin: member },
    });
    expect(await admin("DELETE", `/slots/${slot}/pin`)).toMatchObject({ status: 200, body: { slot, member, pin: "" } });
  });

  it("does not move to a member that takes no slots", async () => {
    const [{ caller } = { caller: undefined }] = callers;
    const id = caller?.credentials.id ?? "";
    expect((await admin("POST", "/members/shard-2/drain")).status).toBe(200);
    expect(await admin("POST", `/sessions/${id}/move`, { body: { member: "shard-2" } })).toMatchObject(
      refused(409, "member is drained or offline"),
    );
    expect((await admin("POST", "/members/shard-2/undrain")).status).toBe(200);
    await gateway.settled();
    await allWell();
  });

  it.each(["telegram", "whatsapp"] as const)("of %s restarts: another connection, the same login", async (platform) => {
    const found = callers.find((each) => each.platform === platform);
    if (found === undefined) throw new Error("no caller");
    const { caller } = found;
    const before = await session(caller);
    const { phone } = await caller.record();
    expect(await admin("POST", `/sessions/${before.id}/restart`)).toMatchObject({ status: 200, body: { id: before.id } });
    const after = await eventually("a connection that began later", async () => {
      const row = await session(caller);
      return row.state === "connected" && row.since > before.since && row;
    });
    expect(after).toMatchObject({ member: before.member, phone: before.phone });
    expect(await caller.record()).toMatchObject({ isConnected: true, qrcode: "", phone });
    expect((await caller.get("/group")).status).toBe(200);
  });

  it("is deleted as its owner would: logged out, and not found any more", async () => {
    const last = callers.pop();
    if (last === undefined) throw new Error("no caller");
    const { id } = last.caller.credentials;
    expect(await admin("DELETE", `/sessions/${id}`, { router: 1 })).toMatchObject({ status: 200, body: { id } });
    expect(await admin("GET", `/sessions/${id}`)).toMatchObject(refused(404, "session not found"));
    expect(await last.caller.get("/session")).toMatchObject(refused(404, "session not found"));
    expect((await listed(`q=${id}`)).docs).toEqual([]);
    expect(await admin("POST", `/sessions/${id}/undelete`)).toMatchObject(refused(404, "session not found"));
  });
});

it("a router that stops ends its event streams, each with a last event that says so", async () => {
  const streams = [await events(0), await events(0), await events(1)];
  await gateway.interrupt();
  for (const stream of streams) {
    await eventually("its end", () => stream.ended);
    expect(stream.events.at(-1)).toMatchObject({ name: "end", data: { reason: "router stops" } });
  }
});
