import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { otherSandbox, sandboxOf } from "../../../../../deploy/cli/backup/sandbox-world.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let redis: TestRedis;
let dataDir: string;
beforeAll(async () => {
  redis = await startRedis();
  dataDir = mkdtempSync(join(tmpdir(), "tl-world-"));
});
afterAll(async () => {
  await redis.stop();
  rmSync(dataDir, { recursive: true });
});

it("logins of the live platforms name no sandbox and warn of none", async () => {
  expect(await sandboxOf(redis.client)).toBeUndefined();
  expect(otherSandbox({}, dataDir)).toBeUndefined();
});

it("logins of a sandbox fit the data folder that has it, and are warned of elsewhere", async () => {
  const shared = {
    control: "http://127.0.0.1:8090",
    dcMap: "1",
    publicKey: "p",
    whatsappUrl: "ws://127.0.0.1",
    rootKey: "r",
    mediaCa: "own",
  };
  await redis.client.set(keys.sandbox, JSON.stringify(shared));
  const sandbox = await sandboxOf(redis.client);
  if (sandbox === undefined) throw new Error("no sandbox was found");
  const folder = join(dataDir, "sandbox");
  expect(otherSandbox({ sandbox }, dataDir)).toContain(`belong to a sandbox that is not in ${folder}. Copy the sandbox folder`);
  mkdirSync(folder);
  writeFileSync(join(folder, "whatsapp-media-ca.pem"), "another");
  expect(otherSandbox({ sandbox }, dataDir)).toContain("or all sessions are logged out");
  writeFileSync(join(folder, "whatsapp-media-ca.pem"), "own");
  expect(otherSandbox({ sandbox }, dataDir)).toBeUndefined();
  const joined = join(dataDir, "host-2");
  mkdirSync(join(joined, "joined-sandbox"), { recursive: true });
  writeFileSync(join(joined, "joined-sandbox", "whatsapp-media-ca.pem"), "own");
  expect(otherSandbox({ sandbox }, joined)).toBeUndefined();
});
