import { describe, expect, it } from "vitest";
import { parseVersion, parseVersionUrl, revisionIn, type ClientVersion } from "../../../../../shard/whatsapp/version/parse-version.js";

const library: ClientVersion = [2, 3000, 1_043_857_760];

describe("parseVersion", () => {
  it("reads a version", () => {
    expect(parseVersion("2.3000.1043857760")).toEqual(library);
  });
  it.each([
    "",
    "2.3000",
    "2.3000.x",
    "2.3000.1043857760-beta",
    " 2.3000.1",
    "2.3000.99999999999",
    "2.3000.4294967296",
    "v2.3000.1",
    "2,3000,1",
  ])("refuses %j", (text) => {
    expect(() => parseVersion(text)).toThrow("must be a version of the web client");
  });
});

describe("parseVersionUrl", () => {
  it.each([
    "https://web.whatsapp.com/sw.js",
    "https://mirror.example:8443/version",
    "http://127.0.0.1:8080/v",
    "http://localhost/v",
    "http://[::1]:1/",
  ])("takes %s", (text) => {
    expect(parseVersionUrl(text)?.href).toBe(new URL(text).href);
  });
  it("is nothing when it is off", () => {
    expect(parseVersionUrl("off")).toBeUndefined();
  });
  it.each([
    "",
    "no",
    "http://mirror.example/",
    "http://127.0.0.1.example/",
    "ftp://x/",
    "file:///etc/passwd",
    "https://user:word@mirror.example/",
  ])("refuses %j", (text) => {
    expect(() => parseVersionUrl(text)).toThrow("must be off or an https URL");
  });
});

describe("revisionIn", () => {
  it.each<[string, string, number | undefined]>([
    ["the platform's page", 'a={"client_revision":1044000000,"b":1}', 1_044_000_000],
    ["the page as it stands within a text", 'x="{\\"client_revision\\":1044000000}"', 1_044_000_000],
    ["a version alone", "2.3000.1044000000\n", 1_044_000_000],
    ["an older one", "2.3000.1040000000", 1_040_000_000],
    ["a version of another family", "2.4000.1044000000", undefined],
    ["a version within other text", "the newest is 2.3000.1044000000", undefined],
    ["a number without its name", "1044000000", undefined],
    ["nothing", "", undefined],
    ["one that is years away", '{"client_revision":1143857760}', undefined],
    ["one that is no number of the wire", '{"client_revision":99999999999}', undefined],
    ["half a one", '{"client_revision":1044000000.5}', undefined],
    ["a negative one", '{"client_revision":-1044000000}', undefined],
    ["a power", '{"client_revision":1e9}', undefined],
    ["one that is none", '{"client_revision":"x"}', undefined],
  ])("%s", (_, text, revision) => {
    expect(revisionIn(text, library)).toBe(revision);
  });
});
