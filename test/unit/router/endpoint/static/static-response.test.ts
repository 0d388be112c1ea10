import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { staticResponse } from "../../../../../router/endpoint/static/static-response.js";
import { contentSecurityPolicy, staticFile } from "../../../../../router/endpoint/static/static-file.js";

const text = Buffer.from("const answer = 42;\n".repeat(100));
const gzip = gzipSync(text);
const file = staticFile("/built/main-9F3C21AB.js", text, gzip);
const page = staticFile("/built/index.html", Buffer.from("<!doctype html>"));

function headersOf(fields: Readonly<Record<string, string>>) {
  return {
    get: (name: string) => (fields[name] === undefined ? undefined : [fields[name]]),
    has: (name: string) => name in fields,
  };
}
const ask = (fields: Readonly<Record<string, string>> = {}, of = file, method = "GET") =>
  staticResponse({ method, headers: headersOf(fields) }, of);

describe("a file of a page", () => {
  it("is cached for ever under a name made of its content, and revalidated otherwise", () => {
    expect(file.headers["Cache-Control"]).toBe("public, max-age=31536000, immutable");
    expect(page.headers["Cache-Control"]).toBe("no-cache");
    expect(staticFile("/built/not-hashed.js", text).headers["Cache-Control"]).toBe("no-cache");
  });
  it("has its content type, and is rejected without a known one", () => {
    expect(page.headers["Content-Type"]).toBe("text/html; charset=utf-8");
    expect(() => staticFile("/built/main.exe", text)).toThrow("no known type");
  });
  it("runs under a policy that allows our own files and endpoints alone", () => {
    expect(page.headers["Content-Security-Policy"]).toBe(contentSecurityPolicy);
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|http/);
  });
  it("goes out as it is, or packed for who reads that, with a tag for each form", () => {
    const [plain, packed] = [ask(), ask({ "accept-encoding": "br, gzip" })];
    expect(plain).toMatchObject({ kind: "bytes", status: 200, bytes: text, isMedia: false, headers: { Vary: "Accept-Encoding" } });
    expect(packed).toMatchObject({
      kind: "bytes",
      status: 200,
      bytes: gzip,
      headers: { "Content-Encoding": "gzip", Vary: "Accept-Encoding" },
    });
    expect(plain.headers["ETag"]).not.toBe(packed.headers["ETag"]);
    expect(plain.headers).not.toHaveProperty("Content-Encoding");
  });
  it("without a packed form goes out as it is, and does not vary", () => {
    const answer = ask({ "accept-encoding": "gzip" }, page);
    expect(answer).toMatchObject({ kind: "bytes", bytes: page.bytes });
    expect(answer.headers).not.toHaveProperty("Vary");
  });
  it("is 304 for who has these very bytes", () => {
    const tag = ask({ "accept-encoding": "gzip" }).headers["ETag"] ?? "";
    expect(ask({ "accept-encoding": "gzip", "if-none-match": tag })).toMatchObject({ kind: "empty", status: 304, headers: { ETag: tag } });
    expect(ask({ "if-none-match": tag })).toMatchObject({ kind: "bytes", status: 200 });
  });
  it("responds to HEAD with the length of GET", () => {
    expect(ask({}, file, "HEAD")).toMatchObject({ kind: "empty", status: 200, length: text.length });
    expect(ask({ "accept-encoding": "gzip" }, file, "HEAD")).toMatchObject({ kind: "empty", length: gzip.length });
  });
});
