import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";

/** Answers as the router does to an admin key, right or wrong. */
const asked: string[] = [];
const router = createServer((request, response) => {
  const key = String(request.headers["x-api-key"]);
  asked.push(key);
  const right = key === "of-compose";
  response
    .writeHead(right ? 200 : 401, { "content-type": "application/json" })
    .end(JSON.stringify(right ? { id: "1" } : { statusCode: 401, message: "invalid api key" }));
});
let folder: string;
beforeAll(() => once(router.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void router.close());
beforeEach(() => {
  asked.length = 0;
  folder = mkdtempSync(join(tmpdir(), "undelete-"));
  for (const made of ["deploy", "data"]) mkdirSync(join(folder, made));
  cpSync(resolve(import.meta.dirname, "../../../../deploy/undelete.mjs"), join(folder, "deploy/undelete.mjs"));
  writeFileSync(join(folder, "data/secrets.json"), JSON.stringify({ adminKey: "of-a-trial" }));
  writeFileSync(join(folder, "deploy/.env"), "CRED_KEYS=a:b\nAPI_KEYS=shop:other,admin:of-compose\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

async function undelete(ids: readonly string[], more: Record<string, string> = {}): Promise<{ code: number | null; said: string }> {
  const env = {
    PATH: process.env["PATH"],
    GATEWAY_URL: `http://127.0.0.1:${(router.address() as AddressInfo).port}`,
    DATA_DIR: join(folder, "data"),
    ...more,
  };
  const child = spawn(process.execPath, [join(folder, "deploy/undelete.mjs"), ...ids], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

it("takes the key of the containers when that of an earlier trial is not the gateway's", async () => {
  expect(await undelete(["1", "2"])).toEqual({ code: 0, said: "1: undeleted\n2: undeleted\n" });
  expect(asked).toEqual(["of-a-trial", "of-compose", "of-compose"]);
});

it("takes the key of the container in which it runs, from its environment or its secret", async () => {
  writeFileSync(join(folder, "api-keys"), "shop:other, admin:of-compose\n");
  expect(await undelete(["1"], { API_KEYS: "admin:of-compose" })).toEqual({ code: 0, said: "1: undeleted\n" });
  expect(await undelete(["1"], { API_KEYS_FILE: join(folder, "api-keys") })).toEqual({ code: 0, said: "1: undeleted\n" });
  expect(asked).toEqual(["of-compose", "of-compose"]);
});

it("uses no other key than the one it was given", async () => {
  expect(await undelete(["1"], { ADMIN_KEY: "mistyped" })).toEqual({ code: 1, said: "1: 401 invalid api key\n" });
  expect(asked).toEqual(["mistyped"]);
});
