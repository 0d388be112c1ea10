import { describe, expect, it } from "vitest";
import type { Envelope } from "../../../../shared/bus/envelope.js";
import { slotOf } from "../../../../shared/contract/slot.js";
import type { CommandId, SessionId } from "../../../../shared/contract/ids.js";
import { Intake } from "../../../../shard/bus/intake.js";
import { Places } from "../../../../shard/bus/places.js";
import type { Task } from "../../../../shard/bus/task.js";

const session = (n: number): SessionId => String(n).padStart(24, "0") as SessionId;
const id = (n: number): string => String(n).padStart(32, "0");

/** An intake whose commands run until the test ends them. */
class Running {
  readonly began: { entry: string; attempt: number; admitted: boolean }[] = [];
  readonly left: string[] = [];
  private readonly tasks = new Map<string, { task: Task; finish: () => void }>();
  readonly places: Places;
  readonly intake: Intake;

  constructor(places = 100, tenants: ReadonlyMap<string, string> = new Map()) {
    this.places = new Places({
      most: () => places,
      tenantOf: (session) => tenants.get(session) ?? "default",
      isShared: () => new Set(tenants.values()).size > 1,
    });
    this.intake = new Intake({
      places: this.places,
      ageOf: () => 0,
      replies: { forget: (entry) => this.left.push(entry) },
      work: (task, admitted) =>
        new Promise((finish) => {
          this.began.push({ entry: task.entry, attempt: task.envelope.attempt, admitted });
          this.tasks.set(task.entry, { task, finish });
        }),
    });
  }

  send(entry: string, { command = "send-message", of = 1, attempt = 0, owner = 1, again = false } = {}): void {
    const envelope: Envelope = {
      id: id(of) as CommandId,
      platform: "telegram",
      command,
      session: session(owner),
      slot: slotOf(session(owner)),
      replyTo: "r",
      ttl: 1_000,
      attempt,
      input: Buffer.from("sealed"),
    };
    this.intake.receive({ id: entry, envelope, again });
  }

  cancel(entry: string, of = 1): void {
    this.intake.receive({ id: entry, cancelled: id(of) });
  }

  task(entry: string): Task {
    const found = this.tasks.get(entry);
    if (found === undefined) throw new Error(`${entry} has not begun`);
    return found.task;
  }

  async finish(entry: string): Promise<void> {
    this.tasks.get(entry)?.finish();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a command that comes again", () => {
  it("is taken when the try that runs has ended, the last one only", async () => {
    const running = new Running();
    running.send("1-0");
    running.send("2-0", { attempt: 1 });
    running.send("3-0", { attempt: 2 });
    running.send("3-0", { attempt: 2, again: true });
    expect(running.began).toEqual([{ entry: "1-0", attempt: 0, admitted: true }]);
    expect(running.left).toEqual(["2-0"]);
    await running.finish("1-0");
    expect(running.began.at(-1)).toEqual({ entry: "3-0", attempt: 2, admitted: true });
    await running.finish("3-0");
    expect(running.places.inFlight.size).toBe(0);
  });
  it("stays in the stream when the process ends", async () => {
    const running = new Running();
    running.send("1-0");
    running.send("2-0", { attempt: 1 });
    running.intake.close();
    await running.finish("1-0");
    expect(running.began).toHaveLength(1);
    expect(running.left).toEqual([]);
  });
});

describe("a command whose caller has gone", () => {
  it("is dropped with the try that follows it", async () => {
    const running = new Running();
    running.send("1-0");
    running.send("2-0", { attempt: 1 });
    running.cancel("3-0");
    expect(running.task("1-0")).toMatchObject({ caller: "left-early", left: { aborted: true } });
    expect(running.left).toEqual(["2-0", "3-0"]);
    await running.finish("1-0");
    expect(running.began).toHaveLength(1);
  });
  it("is cut as a read, and goes on once it is on record", () => {
    const running = new Running();
    running.send("1-0", { command: "list-groups", of: 1 });
    running.send("2-0", { of: 2 });
    running.task("2-0").doubt();
    running.cancel("3-0", 1);
    running.cancel("4-0", 2);
    running.cancel("5-0", 3);
    expect(running.task("1-0")).toMatchObject({ caller: "left", left: { aborted: true } });
    expect(running.task("2-0")).toMatchObject({ caller: "waits", left: { aborted: false } });
    expect(running.left).toEqual(["3-0", "4-0", "5-0"]);
  });
});

describe("places", () => {
  it("are shared among sessions, and what may have begun elsewhere has one in any case", () => {
    const running = new Running(4);
    running.send("1-0", { of: 1 });
    running.send("2-0", { of: 2 });
    running.send("3-0", { of: 3 });
    running.send("4-0", { of: 4, attempt: 1 });
    running.send("5-0", { of: 5, again: true });
    running.send("6-0", { of: 6, owner: 2 });
    expect(running.began.map(({ admitted }) => admitted)).toEqual([true, true, false, true, true, false]);
    expect(running.places.isFree).toBe(false);
  });
  it("are shared among tenants: one that has nearly all leaves the next one some, whatever its number of sessions", () => {
    const sessions = Array.from({ length: 64 }, (_, of) => of + 1);
    const running = new Running(64, new Map(sessions.map((of) => [session(of), of <= 62 ? "many" : "one"])));
    for (const of of sessions) running.send(`${String(of)}-0`, { of, owner: of });
    const admitted = running.began.map(({ admitted: is }) => is);
    expect([admitted.slice(0, 60), admitted.slice(60, 62), admitted.slice(62)]).toEqual([
      Array.from({ length: 60 }, () => true),
      [false, false],
      [true, true],
    ]);
  });
  it("are all for one tenant that is alone", () => {
    const running = new Running(64);
    for (let of = 1; of <= 64; of++) running.send(`${String(of)}-0`, { of, owner: of });
    expect(running.began.every(({ admitted }) => admitted)).toBe(true);
  });
  it("come back when a command ends", async () => {
    const running = new Running(1);
    running.send("1-0", { of: 1 });
    running.send("2-0", { of: 2 });
    await running.finish("1-0");
    running.send("3-0", { of: 3 });
    expect(running.began.map(({ admitted }) => admitted)).toEqual([true, false, true]);
  });
});

it("a slot that is lost ends its commands, and no others", () => {
  const running = new Running();
  running.send("1-0", { of: 1, owner: 1 });
  running.send("2-0", { of: 2, owner: 2 });
  running.places.inFlight.abandon([slotOf(session(1))]);
  expect([running.task("1-0").left.aborted, running.task("2-0").left.aborted]).toEqual([true, false]);
});
