import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { curlText, nodeText } from "../../../../../router/console/app/pages/session/request-code.js";

const url = "http://127.0.0.1:8080/telegram/message";
const body = { username: "bob", type: "text", text: 'It\'s 5 $HOME `x` \\ "quoted"\nnext line' };

it("writes a request as a curl command with a placeholder for the key, which a shell reads back unchanged", () => {
  const text = curlText({ url, headers: { "x-api-key": { env: "API_KEY" }, id: "6b01aa5342b4f53c9f4c7e33" }, body });
  expect(text).toContain('-H "x-api-key: $API_KEY"');
  const read = execFileSync("sh", ["-c", `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }\n${text}`], {
    env: { API_KEY: "set by the reader" },
    encoding: "utf8",
  }).split("\0");
  expect(read.slice(0, -2)).toEqual([
    ...["-X", "POST", "http://127.0.0.1:8080/telegram/message", "-H", "x-api-key: set by the reader"],
    ...["-H", "id: 6b01aa5342b4f53c9f4c7e33", "-H", "content-type: application/json", "-d"],
  ]);
  expect(JSON.parse(read.at(-2) ?? "")).toEqual(body);
});

it("writes a request as a module for Node, with the secret from the environment or in the code", () => {
  const stub = "globalThis.fetch = async (...sent) => ({ status: 200, json: async () => sent });\n";
  const run = (secret: string | { env: string }): unknown => {
    const code = nodeText({ url, headers: { id: "6b01aa5342b4f53c9f4c7e33", "session-id": secret }, body });
    const print = code.replace(/^console\.log\(.*\);$/m, "console.log(JSON.stringify(await response.json()));");
    const env = { SESSION_SECRET: "set by the reader" };
    return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", stub + print], { env, encoding: "utf8" }));
  };
  const sentWith = (secret: string): unknown => [
    url,
    {
      method: "POST",
      headers: { id: "6b01aa5342b4f53c9f4c7e33", "session-id": secret, "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  ];
  expect(run({ env: "SESSION_SECRET" })).toEqual(sentWith("set by the reader"));
  expect(run("its own secret")).toEqual(sentWith("its own secret"));
});
