import { describe, expect, it } from "vitest";
import { Cors } from "../../../../router/http/cors.js";
import { aRequest } from "../support.js";

const app = "https://app.example.com";
const asked = (headers: Record<string, string | readonly string[]>): ReturnType<typeof aRequest>["headers"] => aRequest(headers).headers;
const listed = Cors.parse(` ${app} ,http://localhost:5173`);

/** Returns the value of each header by name. */
function linesOf(cors: Cors | undefined, headers: Record<string, string | readonly string[]>): Record<string, string> {
  const { name, value } = cors?.linesFor(asked(headers)) ?? { name: "", value: "" };
  return Object.fromEntries(`${name}: ${value}`.split("\r\n").map((line) => line.split(": ")));
}

describe("CORS_ORIGINS", () => {
  it.each(["", "  "])("%j: off", (text) => expect(Cors.parse(text)).toBeUndefined());

  it.each([
    "app.example.com",
    "https://app.example.com/",
    "https://app.example.com/path",
    "https://APP.example.com",
    "https://app.example.com:443",
    "https://*.example.com",
    "https://user@app.example.com",
    "https://a b",
    "null",
    "*,https://app.example.com",
    "https://app.example.com,",
    ",",
    "file:///tmp",
    "https://x\r\nSet-Cookie: a=b",
    Array.from({ length: 101 }, (_, index) => `https://a${index}.example.com`).join(","),
  ])("%j is refused", (text) => {
    expect(() => Cors.parse(text)).toThrow("must be * or a list of at most 100 origins such as https://app.example.com");
  });
});

describe("headers of a response", () => {
  it.each([
    ["a listed origin", { origin: app }, app],
    ["the other one", { origin: "http://localhost:5173" }, "http://localhost:5173"],
  ])("%s: it may read, by name, and caches are told", (_, headers, origin) => {
    const lines = linesOf(listed, headers);
    expect(lines).toMatchObject({ "Access-Control-Allow-Origin": origin, Vary: "Origin" });
    expect(lines["Access-Control-Expose-Headers"]?.split(", ")).toEqual(
      expect.arrayContaining(["x-request-id", "retry-after", "ratelimit", "idempotency-replayed", "content-range", "etag"]),
    );
    expect(lines).not.toHaveProperty("Access-Control-Allow-Credentials");
  });

  it.each<[string, Record<string, string | readonly string[]>]>([
    ["no origin", {}],
    ["another scheme", { origin: "http://app.example.com" }],
    ["another port", { origin: `${app}:8443` }],
    ["a longer name", { origin: `${app}.evil.example` }],
    ["a path", { origin: `${app}/` }],
    ["upper case", { origin: "https://APP.example.com" }],
    ["null", { origin: "null" }],
    ["empty", { origin: "" }],
    ["two", { origin: [app, app] }],
    ["two in one", { origin: `${app} ${app}` }],
    ["a name of Object", { origin: "__proto__" }],
  ])("%s: nothing but that origins matter", (_, headers) => {
    expect(linesOf(listed, headers)).toEqual({ Vary: "Origin" });
  });

  it.each<[string, Record<string, string>]>([
    ["an origin", { origin: "https://anybody.example" }],
    ["none, as caches keep such answers too", {}],
  ])("*: to %s", (_, headers) => {
    const lines = linesOf(Cors.parse("*"), headers);
    expect(lines["Access-Control-Allow-Origin"]).toBe("*");
    expect(lines).not.toHaveProperty("Vary");
  });
});

describe("preflight", () => {
  const question = { origin: app, "access-control-request-method": "PUT", "access-control-request-headers": "x-evil, session-id" };

  it.each([
    ["a listed origin", listed],
    ["any", Cors.parse("*")],
  ])("%s: methods of the path, and our headers, whatever was asked for", (_, cors) => {
    expect(cors?.preflight(asked(question), ["GET", "HEAD", "PUT"])).toEqual({
      "Access-Control-Allow-Methods": "GET, HEAD, PUT",
      "Access-Control-Allow-Headers":
        "content-type, id, session-id, passkey-token, x-api-key, idempotency-key, x-request-id, traceparent, range, if-range, if-none-match, last-event-id",
      "Access-Control-Max-Age": "600",
    });
  });

  it.each<[string, Record<string, string>]>([
    ["a stranger", { ...question, origin: "https://evil.example" }],
    ["no origin", { "access-control-request-method": "PUT" }],
    ["no question", { origin: app }],
  ])("%s: nothing", (_, headers) => expect(listed?.preflight(asked(headers), ["GET"])).toEqual({}));
});
