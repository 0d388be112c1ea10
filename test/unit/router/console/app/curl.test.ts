import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { curlText } from "../../../../../router/console/app/pages/session/send/curl.js";

it("writes a request as a curl command with a placeholder for the key, which a shell reads back unchanged", () => {
  const body = { username: "bob", type: "text", text: 'It\'s 5 $HOME `x` \\ "quoted"\nnext line' };
  const text = curlText({ url: "http://127.0.0.1:8080/telegram/message", headers: { id: "6b01aa5342b4f53c9f4c7e33" }, body });
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
