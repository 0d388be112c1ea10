import { describe, expect, it } from "vitest";
import { Cors } from "../../../../router/http/cors.js";
import { CorsRules, type OpenPath } from "../../../../router/http/cors-rules.js";
import { aRequest } from "../support.js";

const platform = "https://web.whatsapp.com";
const app = "https://app.example.com";
const open: OpenPath = { path: "/session/passkey", origin: platform, requestHeaders: ["id", "passkey-token"] };
const at = (path: string, headers: Record<string, string> = {}): Pick<ReturnType<typeof aRequest>, "path" | "headers"> => ({
  path,
  headers: aRequest(headers).headers,
});

function allowedBy(rules: CorsRules, path: string, origin: string): string | undefined {
  const { name, value } = rules.linesFor(at(path, { origin })) ?? { name: "", value: "" };
  return /Access-Control-Allow-Origin: (\S+)/.exec(`${name}: ${value}`)?.[1];
}

const asked = (rules: CorsRules, path: string, origin: string): string | undefined => {
  const told = rules.preflight(at(path, { origin, "access-control-request-method": "POST" }), ["GET", "POST"]);
  return told["Access-Control-Allow-Headers"];
};

describe("an open path", () => {
  const alone = new CorsRules(undefined, open);
  const beside = new CorsRules(Cors.parse(app), open);
  const all = new CorsRules(Cors.parse("*"), open);

  it.each<[string, CorsRules, path: string, origin: string, allowed: string | undefined]>([
    ["its origin", alone, "/session/passkey", platform, platform],
    ["its origin, with a slash", alone, "/session/passkey/", platform, platform],
    ["another path", alone, "/session", platform, undefined],
    ["a path below it", alone, "/session/passkey/confirm", platform, undefined],
    ["another origin", alone, "/session/passkey", "https://web.whatsapp.com.example", undefined],
    ["its origin, where another one is set", beside, "/session/passkey", platform, platform],
    ["the origin that is set", beside, "/session/passkey", app, app],
    ["the origin that is set, elsewhere", beside, "/session", app, app],
    ["its origin, elsewhere", beside, "/session", platform, undefined],
    ["a stranger, where another one is set", beside, "/session/passkey", "https://evil.example", undefined],
    ["its origin, where all may", all, "/session/passkey", platform, "*"],
    ["its origin elsewhere, where all may", all, "/session", platform, "*"],
  ])("%s", (_, rules, path, origin, allowed) => expect(allowedBy(rules, path, origin)).toBe(allowed));

  it("accepts its own headers from its origin only, and all of ours from origins that may call every path", () => {
    expect(asked(alone, "/session/passkey", platform)).toBe("id, passkey-token");
    expect(asked(beside, "/session/passkey", platform)).toBe("id, passkey-token");
    expect(asked(beside, "/session/passkey", app)).toContain("session-id");
    for (const rules of [alone, beside]) {
      expect(asked(rules, "/session", platform)).toBeUndefined();
      expect(asked(rules, "/session/passkey", "https://evil.example")).toBeUndefined();
    }
    expect(alone.preflight(at("/session/passkey", { origin: platform }), ["GET"])).toEqual({});
  });

  it("sends Vary: Origin, and adds no header to other responses", () => {
    const { name, value } = alone.linesFor(at("/session/passkey")) ?? {};
    expect([name, value]).toEqual(["Vary", "Origin"]);
    expect(alone.linesFor(at("/session", { origin: platform }))).toBeUndefined();
    expect(new CorsRules(undefined, undefined).linesFor(at("/session/passkey", { origin: platform }))).toBeUndefined();
  });
});
