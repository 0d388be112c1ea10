import { randomUUID } from "node:crypto";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../deploy/client/create-client.js";
import { readEvents } from "../../deploy/client/read-events.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";

/** Runs the TypeScript client against the gateway, and the example of its page unchanged. */
const root = resolve(import.meta.dirname, "../..");
let cluster: TestCluster;
let alice: Caller;
let baseUrl: string;

beforeAll(async () => {
  cluster = await startCluster();
  alice = await loggedIn(cluster, "alice");
  baseUrl = new URL(cluster.telegram[0] ?? "").origin;
});
afterAll(() => cluster.stop());

it("runs the example of its page", async () => {
  const page = readFileSync(join(root, "deploy/client/README.md"), "utf8");
  const example = /^```js\n([^]*?)^```$/m.exec(page)?.[1] ?? "";
  expect(example.split("\n").length).toBeLessThanOrEqual(11);
  const folder = await mkdtemp(join(tmpdir(), "tl-client-"));
  try {
    const built = pathToFileURL(join(root, "dist/deploy/client/index.js")).href;
    await writeFile(join(folder, "example.mjs"), example.replace('"trunkline-client"', JSON.stringify(built)));
    const env = { GATEWAY: baseUrl, ID: alice.credentials.id, SECRET: alice.credentials.sessionId };
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "example.mjs")], { env });
    expect(JSON.parse(stdout)).toEqual({ messageId: expect.stringMatching(/^\d+$/), groups: expect.any(Number) });
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe("a client", () => {
  const session = (): ReturnType<typeof createClient> => createClient({ baseUrl, session: alice.credentials });

  it("sends a message once, also when its response was lost", async () => {
    const body = { username: "bob_sandbox", type: "text" as const, text: randomUUID() };
    let lost = 0;
    const client = createClient({
      baseUrl,
      session: alice.credentials,
      tries: { firstWaitMs: 1 },
      fetch: async (request) => {
        const answer = await fetch(request);
        if (lost++ === 0) throw new TypeError("the connection broke");
        return answer;
      },
    });
    const { data, response } = await client.POST("/telegram/message", { body });
    expect([response.status, response.headers.get("idempotency-replayed"), lost]).toEqual([200, "true", 2]);
    expect(data?.messageId).toMatch(/^\d+$/);
  });

  it("returns an error with the gateway's message", async () => {
    const { error, response } = await session().GET("/telegram/group/{groupId}", { params: { path: { groupId: "-100999" } } });
    expect(error).toEqual({ statusCode: 400, message: "chat not found" });
    expect(response.headers.get("x-error-code")).toBe("invalid-request");
  });

  it("receives live events", async () => {
    const controller = new AbortController();
    const events = readEvents({ baseUrl, apiKey: cluster.adminKey, signal: controller.signal });
    const first = events.next();
    const created = createClient({ baseUrl, apiKey: cluster.adminKey });
    const { data } = await created.POST("/whatsapp/session", { body: {} });
    expect(data?.id).toMatch(/^[0-9a-f]{24}$/);
    expect((await first).value).toMatchObject({ type: expect.stringMatching(/^(session|slots|member)$/) });
    controller.abort();
    await events.return();
  });
});
