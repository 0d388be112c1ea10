import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { joinSandbox, shareSandbox } from "../../../../deploy/supervisor/sandbox-access.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let folder: string;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  folder = mkdtempSync(join(tmpdir(), "sandbox-access-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the sandbox of a cluster", () => {
  it("is reached from another host with the settings of the first host, its keys in files", async () => {
    const file = (name: string): string => {
      writeFileSync(join(folder, name), `text of ${name}`);
      return join(folder, name);
    };
    await shareSandbox(redis.client, "http://127.0.0.1:8090", {
      telegram: { dcMap: "1=127.0.0.1:8101", publicKeyPath: file("public") },
      whatsapp: { url: "ws://127.0.0.1:1", rootKeyPath: file("root"), mediaCaPath: file("ca") },
    });
    const dataDir = join(folder, "other-host");
    const { control, telegram, whatsapp } = await joinSandbox(redis.client, dataDir);
    expect([control, telegram?.dcMap, whatsapp?.url]).toEqual(["http://127.0.0.1:8090", "1=127.0.0.1:8101", "ws://127.0.0.1:1"]);
    const paths = [telegram?.publicKeyPath, whatsapp?.rootKeyPath, whatsapp?.mediaCaPath];
    expect(paths.map((path = "") => [path.startsWith(dataDir), readFileSync(path, "utf8")])).toEqual([
      [true, "text of public"],
      [true, "text of root"],
      [true, "text of ca"],
    ]);
  });
  it("that there is not is a sentence", async () => {
    await expect(joinSandbox(redis.client, folder)).rejects.toThrow(
      new Error("no host of this cluster runs a sandbox that could be joined: start with PLATFORMS=live, as its other hosts do"),
    );
  });
});
