import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Compressor } from "../../../../router/http/compressor.js";
import { json, jsonError, type JsonResponse } from "../../../../router/http/response.js";

const asks = (...fields: string[]): { get: () => string[] | undefined } => ({ get: () => (fields.length === 0 ? undefined : fields) });
const textOf = (length: number): string => JSON.stringify("é".repeat((length - 2) / 2));
const long = json(200, textOf(40_000), { ETag: "x" });

function compressor(limits = { atOnce: 2, bytes: 1_000_000 }): { compressor: Compressor; outcomes: string[] } {
  const outcomes: string[] = [];
  return { outcomes, compressor: new Compressor(limits, (outcome) => outcomes.push(outcome)) };
}

describe("a response that is large enough", () => {
  it.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)("goes out in %s, and unpacks to the same bytes", async (coding, unpack) => {
    const { compressor: packs, outcomes } = compressor();
    const answer = await packs.compress(long, asks(coding));
    expect(answer.headers).toEqual({ ...long.headers, Vary: "Accept-Encoding", "Content-Encoding": coding });
    expect(answer.coded?.length).toBeLessThan(1_000);
    expect(unpack(answer.coded ?? Buffer.alloc(0)).toString()).toBe(long.text);
    expect(outcomes).toEqual([coding]);
  });

  it("goes out as it is to who does not read that, and says that it varies", async () => {
    const { compressor: packs, outcomes } = compressor();
    expect(await packs.compress(long, asks())).toEqual({ ...long, headers: { ...long.headers, Vary: "Accept-Encoding" } });
    expect(outcomes).toEqual([]);
  });
});

it.each<[string, JsonResponse]>([
  ["short", json(200, "x".repeat(1_023))],
  ["an error, which says what was asked", jsonError(404, "x".repeat(5_000))],
  ["new", json(201, textOf(5_000))],
])("one that is %s goes out untouched", async (_, answer) => {
  expect(await compressor().compressor.compress(answer, asks("gzip"))).toBe(answer);
});

describe("many at once", () => {
  it("wait for their turn, and all come whole", async () => {
    const { compressor: packs, outcomes } = compressor({ atOnce: 1, bytes: 10_000_000 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => packs.compress(json(200, JSON.stringify([index, long.text])), asks("gzip"))),
    );
    for (const [index, { coded }] of answers.entries()) expect(JSON.parse(gunzipSync(coded ?? "").toString())).toEqual([index, long.text]);
    expect(outcomes).toHaveLength(50);
  });

  it("past the limit go out as they are, until there is room again", async () => {
    const { compressor: packs, outcomes } = compressor({ atOnce: 1, bytes: 100_000 });
    const first = await Promise.all([1, 2, 3, 4].map(() => packs.compress(long, asks("gzip"))));
    expect(first.map(({ coded }) => coded !== undefined)).toEqual([true, true, false, false]);
    expect([...outcomes].sort()).toEqual(["busy", "busy", "gzip", "gzip"]);
    expect((await packs.compress(long, asks("br"))).coded).toBeDefined();
    expect((await packs.compress(json(200, textOf(200_000)), asks("br"))).coded).toBeUndefined();
  });
});
