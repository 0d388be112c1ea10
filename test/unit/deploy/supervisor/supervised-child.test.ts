import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isAlive } from "../../../../deploy/supervisor/is-alive.js";
import { SupervisedChild, type ChildLimits, type ChildPlan } from "../../../../deploy/supervisor/supervised-child.js";
import { silentLog } from "../../../../shared/log/logger.js";

let folder: string;
let children: SupervisedChild[];
let joined: { incarnation: string; pid: number }[];
let dead: string[];
let ends: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "child-"));
  [children, joined, dead, ends] = [[], [], [], []];
});
afterEach(async () => {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.stop()));
  rmSync(folder, { recursive: true });
});

/** A child that joins as `inc-<pid>`, is ready and beats. */
const healthy = `
  process.send({ type: "joined", member: "m", incarnation: "inc-" + process.pid });
  process.send({ type: "ready" });
  setInterval(() => process.send({ type: "beat" }), 50);
`;

describe("SupervisedChild", () => {
  it("is started when the child says that it is ready, and stopped when the child is reaped", async () => {
    const child = supervise(`process.on("SIGTERM", () => process.exit(0)); ${healthy}`);
    await child.start();
    await eventually(() => expect(joined).toHaveLength(1));
    await child.stop();
    expect(isAlive(joined[0]?.pid ?? 0)).toBe(false);
    expect(dead).toEqual([joined[0]?.incarnation]);
    expect(ends).toEqual([]);
  });

  it("reports the dead incarnation at once and starts the next one", async () => {
    await supervise(healthy).start();
    await eventually(() => expect(joined).toHaveLength(1));
    process.kill(joined[0]?.pid ?? 0, "SIGKILL");
    await eventually(() => expect(dead).toEqual([joined[0]?.incarnation]));
    await eventually(() => expect(joined).toHaveLength(2));
    expect(joined[1]?.pid).not.toBe(joined[0]?.pid);
    expect(ends).toEqual(["killed"]);
  });

  it("kills a child that hangs, and what it has started", async () => {
    const note = join(folder, "sleeper");
    const child = supervise(
      `
      const fs = require("node:fs");
      if (!fs.existsSync(${JSON.stringify(note)})) {
        fs.writeFileSync(${JSON.stringify(note)}, String(require("node:child_process").spawn("sleep", ["600"]).pid));
        // Its successor lives. A loop would hang as well, and take a processor for as long.
        setTimeout(() => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }, 200);
      }
      ${healthy}
    `,
      { limits: { stallMs: 3_000, startMs: 30_000, watchMs: 100 } },
    );
    await child.start();
    const sleeper = Number(readFileSync(note, "utf8"));
    expect(isAlive(sleeper)).toBe(true);
    await eventually(() => expect(dead).toHaveLength(1));
    await eventually(() => expect(isAlive(sleeper)).toBe(false));
    expect(ends).toEqual(["hung"]);
  });

  it("kills a child that never becomes ready, and says so after five times", async () => {
    const child = supervise("setInterval(() => {}, 1000);", { limits: { stallMs: 500, startMs: 100, watchMs: 50 } });
    await expect(child.start()).rejects.toThrow("m (port 1) exited 5 times before it was ready, last with SIGKILL");
  });

  it("leaves a child alone that takes longer than a start without progress may, and goes on", async () => {
    const child = supervise(
      `
      let done = 0;
      setInterval(() => process.send({ type: "progress", phase: "loading logins", done: ++done }), 50);
      setTimeout(() => { ${healthy} }, 6_000);
    `,
      { limits: { stallMs: 3_000, startMs: 3_000, watchMs: 100 } },
    );
    await child.start();
    expect(ends).toEqual([]);
  });

  it("kills a child whose start does not go on, though its event loop turns, and says after what", async () => {
    const child = supervise(
      `setInterval(() => { process.send({ type: "beat" }); process.send({ type: "progress", phase: "slots taken", done: 512 }); }, 50);`,
      { limits: { stallMs: 10_000, startMs: 300, watchMs: 50 } },
    );
    await expect(child.start()).rejects.toThrow("last with SIGKILL (its start did not go on for 0.3 s after: slots taken, 512)");
    expect(ends).toEqual(Array.from({ length: 5 }, () => "hung"));
  });

  it("gives up a child that dies five times before it was ready", async () => {
    await expect(supervise("process.exit(3);").start()).rejects.toThrow(
      "m (port 1) exited 5 times before it was ready, last with exit code 3",
    );
    expect(ends).toEqual(Array.from({ length: 5 }, () => "exited"));
  });

  it("kills a child that does not stop in time", async () => {
    const child = supervise(`process.on("SIGTERM", () => {}); ${healthy}`, { stopMs: 300 });
    await child.start();
    const since = performance.now();
    await child.stop();
    expect(performance.now() - since).toBeGreaterThan(250);
    expect(dead).toHaveLength(1);
  });

  it("ignores what is not a message of its children", async () => {
    const child = supervise(
      `for (const odd of [1, "ready", { type: "else" }, { type: "joined", member: 1 }]) process.send(odd); ${healthy}`,
    );
    await child.start();
    await eventually(() => expect(joined).toHaveLength(1));
  });
});

/** Processes start and end while others use the processor, too. */
/** The time-out is long, because the supervisor excuses time in which a busy machine did not run the child. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 240_000 });

function supervise(script: string, { limits, ...plan }: Partial<ChildPlan> & { limits?: ChildLimits } = {}): SupervisedChild {
  const entry = join(folder, `${children.length}.cjs`);
  writeFileSync(entry, script);
  const child = new SupervisedChild(
    {
      name: "m",
      where: "port 1",
      entry,
      nodeArguments: [],
      env: () => process.env,
      stopMs: 5_000,
      onJoin: (_, incarnation, pid) => joined.push({ incarnation, pid }),
      onDeath: (_, incarnation) => dead.push(incarnation),
      onEnd: (end) => ends.push(end),
      ...plan,
    },
    silentLog,
    limits,
  );
  children.push(child);
  return child;
}
