import { describe, expect, test } from "vitest";
import { FetchTurns } from "../../../../shard/media/fetch-turns.js";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takes turns and writes down who got one. */
class Takers {
  readonly got: string[] = [];
  private readonly ends = new Map<string, (() => void)[]>();

  constructor(readonly turns: FetchTurns) {}

  async take(session: string, file: string, signal = new AbortController().signal): Promise<void> {
    const name = `${session}/${file}`;
    const end = await this.turns.take(session, file, signal);
    this.got.push(name);
    this.ends.set(name, [...(this.ends.get(name) ?? []), end]);
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.shift()?.();
    await settled();
  }
}

describe("FetchTurns", () => {
  test("a picture does not wait behind a film of the same session", async () => {
    const takers = new Takers(new FetchTurns({ total: 64, perSession: 8, perFile: 4 }));
    for (let chunk = 0; chunk < 100; chunk++) void takers.take("s", "film");
    void takers.take("s", "picture");
    await settled();
    expect(takers.got).toEqual(["s/film", "s/film", "s/film", "s/film", "s/picture"]);
    expect([takers.turns.running, takers.turns.waiting]).toEqual([5, 96]);
  });

  test("files of a session take turns when it may have no more at once", async () => {
    const takers = new Takers(new FetchTurns({ total: 64, perSession: 1, perFile: 1 }));
    for (const file of ["a", "a", "a", "b", "b", "c"]) void takers.take("s", file);
    await settled();
    for (const file of ["a", "b", "c", "a", "b"]) await takers.end(`s/${file}`);
    expect(takers.got).toEqual(["s/a", "s/b", "s/c", "s/a", "s/b", "s/a"]);
  });

  test("sessions take turns when the shard may have no more at once", async () => {
    const takers = new Takers(new FetchTurns({ total: 2, perSession: 2, perFile: 2 }));
    for (let chunk = 0; chunk < 4; chunk++) void takers.take("greedy", "film");
    void takers.take("modest", "film");
    void takers.take("modest", "film");
    await settled();
    await takers.end("greedy/film");
    await takers.end("greedy/film");
    expect(takers.got).toEqual(["greedy/film", "greedy/film", "modest/film", "greedy/film"]);
  });

  test("one that gives up frees its place in the queue, and nothing stays behind", async () => {
    const takers = new Takers(new FetchTurns({ total: 1, perSession: 1, perFile: 1 }));
    void takers.take("s", "a");
    const gone = new AbortController();
    const waiting = takers.take("s", "b", gone.signal);
    void takers.take("s", "c");
    await settled();
    gone.abort(new Error("client left"));
    await expect(waiting).rejects.toThrow("client left");
    await takers.end("s/a");
    await takers.end("s/c");
    expect(takers.got).toEqual(["s/a", "s/c"]);
    expect([takers.turns.running, takers.turns.waiting]).toEqual([0, 0]);
  });
});
