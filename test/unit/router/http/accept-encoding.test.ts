import { describe, expect, it } from "vitest";
import { acceptsGzip, chosenCoding } from "../../../../router/http/accept-encoding.js";

describe("gzip is accepted", () => {
  it.each([
    [undefined, false],
    ["", false],
    ["gzip", true],
    ["GZIP", true],
    ["br;q=1, gzip;q=0.2", true],
    ["gzip;q=0", false],
    ["*", true],
    ["*;q=0", false],
    ["gzip;q=0, *", false],
    ["identity", false],
    ["gzip;q=nonsense", false],
  ])("%j: %s", (field, expected) => {
    expect(acceptsGzip(field === undefined ? undefined : [field])).toBe(expected);
  });
});

describe("the coding of a response", () => {
  it.each<[string[] | undefined, "br" | "gzip" | undefined]>([
    [undefined, undefined],
    [[], undefined],
    [[""], undefined],
    [["gzip"], "gzip"],
    [["x-gzip"], "gzip"],
    [["GZip"], "gzip"],
    [["br"], "br"],
    [["gzip, deflate, br, zstd"], "br"],
    [["gzip", "br"], "br"],
    [["gzip;q=1, br;q=0.9"], "gzip"],
    [["gzip;q=0.5, br;q=0.5"], "br"],
    [["gzip;q=0.001"], "gzip"],
    [["br;q=0"], undefined],
    [["br;q=0, gzip"], "gzip"],
    [["*"], "br"],
    [["*;q=0"], undefined],
    [["br;q=0, *"], "gzip"],
    [["identity"], undefined],
    [["identity;q=0"], undefined],
    [["identity, gzip;q=0.5"], undefined],
    [["identity;q=0.5, gzip"], "gzip"],
    [["identity;q=0.5, gzip;q=0.5"], "gzip"],
    [["deflate, compress, zstd"], undefined],
    [[" gzip ; q=1.000 "], "gzip"],
    [["gzip;q=1.001"], undefined],
    [["gzip;q=2"], undefined],
    [["gzip;q=-1"], undefined],
    [["gzip;q="], undefined],
    [["gzip;q=1e0"], undefined],
    [["gzip;q=0.0001"], undefined],
    [["gzip;level=9"], "gzip"],
    [["gzipped, brr"], undefined],
    [["__proto__, constructor"], undefined],
    [[",,,gzip,,,"], "gzip"],
    [[`${"x,".repeat(600)}gzip`], undefined],
  ])("%j: %s", (fields, expected) => {
    expect(chosenCoding(fields)).toBe(expected);
  });

  it("is one of ours, or none, whatever is sent", () => {
    const letters = 'gzipbr*identy;q=0.15,, \t"';
    for (let round = 0; round < 20_000; round++) {
      const field = Array.from({ length: Math.floor(Math.random() * 30) }, () => letters[Math.floor(Math.random() * letters.length)]).join(
        "",
      );
      expect(["br", "gzip", undefined]).toContain(chosenCoding([field]));
    }
  });
});
