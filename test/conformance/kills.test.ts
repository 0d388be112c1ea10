import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRow } from "../../shared/cluster/audit/audit-row.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { PasskeyStatus } from "../../shared/contract/passkey.js";
import type { SessionRecord } from "../../router/whatsapp/session-record.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { memberPid } from "../harness/member-pid.js";
import { ownerOf } from "../harness/owner-of.js";
import { logInAlices, type Alices } from "./alices.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";

/**
 * Kills processes under load, on both platforms and in production time. No login may be lost, no message doubled, no account owned twice,
 * no request without a response.
 */
let gateway: Gateway;
let alices: Alices;
beforeAll(async () => {
  gateway = await startGateway({ routers: 2, shards: 3, env: { TEST_TIME_PERCENT: "100" } });
  alices = await logInAlices(gateway);
});
afterAll(() => gateway.stop());

/** Resolves with the audit rows of takeovers after a shard's death. */
async function takeovers(): Promise<AuditRow[]> {
  const url = `${new URL(gateway.telegram[0] ?? "").origin}/admin/audit?limit=1000`;
  const { body } = await request(url, { headers: { "x-api-key": gateway.adminKey } });
  return (body as { docs: AuditRow[] }).docs.filter(({ what }) => what === "take-over");
}

/** Responses while a session waits for its next owner. After the command's deadline it is 503, never 500 `session not found`. */
const promised = ["200", "500 session not connected", "503 server busy", "503 storage unavailable"];
const said = ({ status, body }: ApiResponse): string =>
  status === 200 ? "200" : `${status} ${(body as { message?: string }).message ?? ""}`;

/** Ends a shard and waits for its next process. */
async function end(shard: string, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const pid = await gateway.shardPid(shard);
  process.kill(pid, signal);
  await eventually(`${shard} back`, async () => (await gateway.shardPid(shard)) !== pid);
}

/** Requires that an accepted text arrived once, under the id of its response, and any other text at most once. All must be readable. */
async function expectOnce(
  side: BobSide,
  account: string,
  sent: readonly { readonly text: string; readonly answer: ApiResponse | undefined }[],
) {
  const rows = await side.received(account, "message");
  for (const { text, answer: response } of sent) {
    const ids = rows.filter((row) => row.text === text).map(({ id }) => id);
    const accepted = response?.status === 200 ? [(response.body as { messageId: string }).messageId] : ids.slice(0, 1);
    expect([text, ids]).toEqual([text, accepted]);
  }
  expect(rows.flatMap(({ failures = [] }) => failures)).toEqual([]);
}

describe.each(eachPlatform)("$platform: one session", (underTest) => {
  const { platform } = underTest;
  let side: BobSide;
  beforeAll(() => {
    side = new BobSide(gateway, underTest);
  });

  it("kill -9 of its shard: back on another one with the same login, the next message readable, one owner at a time", async () => {
    const alice = alices[platform];
    const logins = async (): Promise<unknown[]> => (await side.holders("alice")).map(({ key }) => key);
    // An earlier kill may have left the session on its way back.
    await eventually("its one connection", async () => (await logins()).length === 1);
    const [{ phone }, before] = [await alice.record(), await logins()];
    const owner = await ownerOf(gateway, alice);
    process.kill(await gateway.shardPid(owner), "SIGKILL");
    const killedAt = performance.now();
    await eventually("groups from another shard", async () => (await alice.get("/group")).status === 200);
    process.stdout.write(`${platform}: answered ${((performance.now() - killedAt) / 1000).toFixed(2)} s after kill -9 of ${owner}\n`);
    expect(await alice.record()).toMatchObject({ isConnected: true, qrcode: "", phone });
    await side.receives(alice, "alice", "still here");
    await side.receives(alice, "alice", "and here", await side.family(alice));
    expect(await logins()).toEqual(before);
    expect(await side.overlaps()).toEqual([]);
    const taken = await eventually("on record", async () => {
      const rows = await takeovers();
      return rows.some(({ target }) => target === owner) && rows.filter(({ target }) => target === owner);
    });
    for (const { who, from, count, sessions } of taken) {
      expect([who, from]).toEqual(["cluster", expect.stringMatching(/^shard-\d$/)]);
      expect(count).toBeGreaterThan(0);
      expect(sessions).toBeTypeOf("number");
    }
    await gateway.settled();
  });

  it("kill -9 in the middle of sending, and of the next owner: every message arrives once", async () => {
    const alice = alices[platform];
    const texts = Array.from({ length: 30 }, (_, n) => `over the crash ${n}`);
    const bob = await side.bob();
    const responses = texts.map((text) => alice.send("POST", "/message", { ...bob, type: "text", text }));
    await eventually("some sent", async () => (await side.received("alice", "message")).some(({ text }) => texts.includes(text)));
    for (let kills = 0; kills < 2; kills += 1) await end(await eventually("an owner", () => ownerOf(gateway, alice)), "SIGKILL");
    const sent = (await Promise.all(responses)).map((response, n) => ({ text: texts[n] ?? "", answer: response }));
    process.stdout.write(
      `${platform}: answers around two kills: ${JSON.stringify(counted(sent.map(({ answer: response }) => said(response))))}\n`,
    );
    expect(sent.map(({ answer: response }) => said(response)).filter((text) => !promised.includes(text))).toEqual([]);
    await eventually("connected again", async () => (await alice.get("/group")).status === 200);
    await expectOnce(side, "alice", sent);
    expect(await side.overlaps()).toEqual([]);
  });
});

describe("a crowd on both platforms", () => {
  /** Each of the three shards ends once. */
  const [accounts, rounds] = [12, 3];
  const crowds: Crowd[] = [];
  beforeAll(async () => {
    await gateway.settled();
    crowds.push(...eachPlatform.map((underTest) => new Crowd(gateway, underTest)));
    await Promise.all(crowds.map((crowd) => crowd.logIn(accounts)));
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(`keeps ${accounts} sessions on each over ${rounds} times %s`, async (signal) => {
    await gateway.settled();
    const settled = (): number => crowds.reduce((sum, crowd) => sum + crowd.outcomes.length, 0);
    const loads = crowds.map((crowd) => crowd.load(signal));
    for (let round = 0; round < rounds; round += 1) {
      await end(`shard-${1 + (round % 3)}`, signal);
      const before = settled();
      await eventually("requests in its next life", () => settled() > before + 4 * accounts);
    }
    for (const crowd of crowds) crowd.loading = false;
    await Promise.all(loads);
    // From here on no session moves to another shard.
    await gateway.settled();
    for (const crowd of crowds) await crowd.connected();
    for (const crowd of crowds) {
      process.stdout.write(`${crowd.name}: answers over ${rounds} times ${signal}: ${JSON.stringify(counted(crowd.outcomes))}\n`);
      expect(crowd.outcomes.filter((text) => !promised.includes(text))).toEqual([]);
      await crowd.expectWhole();
    }
  });
});

describe("a router", () => {
  it("kill -9: the other shard responds as before, commands in flight are sent at most once, and it comes back", async () => {
    for (const { platform } of eachPlatform)
      await eventually("connected", async () => (await alices[platform].get("/group")).status === 200);
    const sides = eachPlatform.map((underTest) => ({ alice: alices[underTest.platform], side: new BobSide(gateway, underTest) }));
    const records = await Promise.all(sides.map(({ alice }) => alice.record()));
    const pid = memberPid(gateway, "router-1") ?? 0;
    const inHand = sides.map(async ({ alice, side }, at) => {
      const bob = await side.bob();
      const sent = Array.from({ length: 5 }, async (_, n) => {
        const text = `through the router that dies ${n}`;
        return { text, answer: await alice.send("POST", "/message", { ...bob, type: "text", text }).catch(() => undefined) };
      });
      const others = Array.from({ length: 20 }, () => alice.through(1).get("/group"));
      if (at === 0) process.kill(pid, "SIGKILL");
      expect((await Promise.all(others)).map(said)).toEqual(others.map(() => "200"));
      await side.receives(alice.through(1), "alice", "through the router that lives");
      return await Promise.all(sent);
    });
    const sent = await Promise.all(inHand);
    await eventually("router-1 back", () => ![undefined, pid].includes(memberPid(gateway, "router-1")));
    await eventually("router-1 ready", async () => (await fetch(`http://127.0.0.1:${gateway.adminPorts[0]}/readyz`)).ok);
    for (const [at, { alice, side }] of sides.entries()) {
      expect(await alice.record()).toEqual(records[at]);
      await side.receives(alice, "alice", "through its next life");
      await expectOnce(side, "alice", sent[at] ?? []);
    }
  });
});

/** Accounts of one platform that read and write all the time. */
class Crowd {
  readonly name: Platform;
  /** Responses under the current load. */
  outcomes: string[] = [];
  loading = false;
  private readonly side: BobSide;
  private readonly members: {
    readonly account: string;
    readonly caller: Caller;
    readonly sent: { text: string; answer: ApiResponse }[];
  }[] = [];

  constructor(
    private readonly gateway: Gateway,
    underTest: (typeof eachPlatform)[number],
  ) {
    this.name = underTest.platform;
    this.side = new BobSide(gateway, underTest);
  }

  async logIn(count: number): Promise<void> {
    const accounts = Array.from({ length: count }, (_, n) => `crowd-${n}`);
    await Promise.all(
      accounts.map(async (account) => {
        await this.side.post("/accounts", { account, groups: 1, channels: 1, contacts: 1, members: 3 });
        this.members.push({ account, caller: await loggedIn(this.gateway, account, this.name), sent: [] });
      }),
    );
  }

  async load(title: string): Promise<void> {
    [this.outcomes, this.loading] = [[], true];
    const bob = await this.side.bob();
    await Promise.all(
      this.members.map(async ({ account, caller, sent }) => {
        for (let n = 0; this.loading; n += 1) {
          const text = `${account} ${title} ${n}`;
          const response =
            n % 10 === 5 ? await caller.send("POST", "/message", { ...bob, type: "text", text }) : await caller.get("/channel");
          if (n % 10 === 5) sent.push({ text, answer: response });
          this.outcomes.push(said(response));
          // All 24 accounts send about 100 requests a second, so every kill hits many of them.
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }),
    );
  }

  /** Requires that every session is connected and its platform responds. */
  async connected(): Promise<void> {
    for (const { account, caller } of this.members) {
      await eventually(`${account} connected`, async () => (await caller.get("/channel")).status === 200);
      expect(await caller.record()).toMatchObject({ isConnected: true, qrcode: "" });
    }
  }

  /** Requires that every account has one connection and never had two, and that its messages arrived once. */
  async expectWhole(): Promise<void> {
    expect(await this.side.overlaps()).toEqual([]);
    for (const { account, sent } of this.members) {
      expect(await this.side.holders(account)).toHaveLength(1);
      await expectOnce(this.side, account, sent);
    }
  }
}

function counted(text: readonly string[]): Record<string, number> {
  return Object.fromEntries([...new Set(text)].map((entry) => [entry, text.filter((other) => other === entry).length]));
}

describe("whatsapp: an account that is linked by its passkey", () => {
  const side = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await request(`${gateway.sandbox}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ platform: "whatsapp", account: "passkey", ...body }),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return response.body as Record<string, unknown>;
  };
  const statusOf = async (caller: Caller): Promise<PasskeyStatus> => (await caller.get("/session/passkey")).body as PasskeyStatus;

  const flows: readonly (readonly [way: string, begin: () => Promise<Caller>])[] = [
    [
      "QR code",
      async () => {
        const caller = await createSession(gateway, "whatsapp");
        expect((await caller.scan("passkey")).status).toBe(200);
        return caller;
      },
    ],
    [
      "pairing code",
      async () => {
        const accounts = (await request(`${gateway.sandbox}/accounts?platform=whatsapp`)).body as {
          docs: { account: string; phone: string }[];
        };
        const phone = accounts.docs.find(({ account }) => account === "passkey")?.phone;
        const caller = await createSession(gateway, "whatsapp", { phone });
        const code = await eventually("a pairing code", async () => (await caller.record<SessionRecord>()).pairingCode);
        await side("/phone/code", { code });
        return caller;
      },
    ],
  ];
  it.each(flows)("by %s: kill -9 of its shard between challenge and answer, and again behind the answer", async (_flow, begin) => {
    const caller = await begin();
    const challenge = await eventually("the challenge", async () => {
      const status = await statusOf(caller);
      return status.state === "challenge" && status;
    });
    process.kill(await gateway.shardPid(await ownerOf(gateway, caller)), "SIGKILL");
    // The challenge stays the same, even while the session has no owner.
    expect(await statusOf(caller)).toEqual(challenge);
    const { credential } = await side("/phone/passkey", { options: challenge.options });
    const response = await eventually("an owner", async () => {
      const tried = await caller.send("POST", "/session/passkey", { credential });
      return tried.status !== 500 && tried;
    });
    expect(response).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
    process.kill(await gateway.shardPid(await ownerOf(gateway, caller)), "SIGKILL");
    await eventually("linked", async () => (await statusOf(caller)).state === "done");
    await eventually("connected", async () => (await caller.record()).isConnected);
    expect((await caller.get("/group")).status).toBe(200);
    expect(await caller.send("DELETE", "/session")).toMatchObject({ status: 200 });
  });
});
