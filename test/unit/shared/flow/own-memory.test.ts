import { describe, expect, it } from "vitest";
import { withOwnMemory } from "../../../../shared/flow/own-memory.js";

describe("withOwnMemory", () => {
  it("gives each buffer that is made in the call memory of its own, and later ones a shared block as before", () => {
    const before = Buffer.poolSize;
    const own = withOwnMemory(() => [Buffer.from("abc"), Buffer.from("ab", "base64"), Buffer.concat([Buffer.of(1), Buffer.of(2)])]);
    for (const buffer of own) expect(buffer.buffer.byteLength).toBe(buffer.length);
    expect(Buffer.poolSize).toBe(before);
    expect(Buffer.from("abc").buffer.byteLength).toBe(before);
  });

  it("shares blocks again after a failure", () => {
    const before = Buffer.poolSize;
    expect(() =>
      withOwnMemory(() => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
    expect(Buffer.poolSize).toBe(before);
  });
});
