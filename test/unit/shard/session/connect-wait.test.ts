import { describe, expect, it } from "vitest";
import { ConnectWait } from "../../../../shard/session/connect-wait.js";
import { endsWithin } from "../../../../shared/flow/ends-within.js";

const isOver = (wait: ConnectWait): Promise<boolean> => endsWithin(wait.ended, 20);

describe("a wait for a connect", () => {
  it("begins at once, and ends with the outcome", async () => {
    const wait = new ConnectWait();
    expect(await isOver(wait)).toBe(false);
    wait.end();
    wait.end();
    expect(await isOver(wait)).toBe(true);
  });
  it("ends at its limit", async () => {
    const wait = new ConnectWait();
    wait.limit(1);
    wait.limit(60_000);
    await wait.ended;
  });
  it("loses its limit when another connect begins, and keeps its callers", async () => {
    const wait = new ConnectWait();
    const { ended } = wait;
    wait.limit(10);
    wait.begin();
    expect(await endsWithin(ended, 50)).toBe(false);
    wait.end();
    await ended;
  });
  it("begins anew after it was over, and callers of the former one do not wait again", async () => {
    const wait = new ConnectWait();
    const { ended } = wait;
    wait.end();
    wait.limit(1);
    wait.begin();
    await ended;
    expect(await isOver(wait)).toBe(false);
    wait.end();
  });
});
