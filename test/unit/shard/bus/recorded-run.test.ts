import { afterEach, describe, expect, it } from "vitest";
import type { CommandLog } from "../../../../shard/bus/command-log.js";
import type { Begun, Earlier } from "../../../../shard/bus/record-plan.js";
import { RecordedRun } from "../../../../shard/bus/recorded-run.js";
import { SessionFinder } from "../../../../shard/bus/session-finder.js";
import { isKnown, Task } from "../../../../shard/bus/task.js";
import type { Envelope, Outcome } from "../../../../shared/bus/envelope.js";
import type { SlotToken } from "../../../../shared/cluster/ownership.js";
import { internal } from "../../../../shared/contract/errors.js";
import { factsOf } from "../../../../shared/contract/commands.js";
import { newCommandId, newSessionId } from "../../../../shared/contract/ids.js";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { TestContext } from "../../../platform/session-context.js";
import { account, running } from "../session/scripted-connector.js";

const ok: Outcome = { kind: "ok", output: { messageId: "5" } };
const first: Begun = { kind: "run", repeats: 0 };
let close: () => Promise<void>;
afterEach(() => close());

interface Records {
  readonly earlier?: Earlier;
  readonly begun?: Begun;
}

/** Runs a message whose slot was another shard's. `begun`: an earlier owner may have begun it without a record. */
async function resent({ begun, connected }: { begun: boolean; connected: boolean }, records: Records = {}) {
  const storage = {
    credentials: undefined,
    peers: new Map<string, string>(),
    state: { kind: "disconnected", account, elapsedMs: 0 },
  } as const;
  const one = running([], { logsIn: connected, context: new TestContext(storage) });
  if (connected) await one.context.connected();
  close = async () => {
    await one.session.close();
    await one.ran;
  };
  const commandLog = {
    read: () => Promise.resolve(records.earlier),
    begin: () => Promise.resolve(records.begun ?? first),
    finish: () => Promise.resolve(),
  } as unknown as CommandLog;
  const host = {
    get: () => one.session,
    prioritize: () => undefined,
    create: () => Promise.reject(internal()),
    undelete: () => Promise.reject(internal()),
  };
  const recorded = new RecordedRun({
    commandLog,
    finder: new SessionFinder(host, { connectWaitMs: 1 }),
    metrics: { repeated: () => undefined, idempotent: () => undefined },
    log: silentLog,
  });
  const left = new AbortScope();
  const head = { id: newCommandId(), platform: "telegram", session: newSessionId(Date.now()), slot: 1, attempt: 1 };
  const envelope = { ...head, ...(begun ? { begun } : {}) } as unknown as Envelope;
  const effect = begun ? "possible" : "in-doubt";
  const task = new Task({ entry: "1-0", ageMs: () => 0, envelope, facts: factsOf("telegram", "send-message"), left, effect });
  if (!isKnown(task)) throw new Error("an unknown command");
  let ran = 0;
  const run = (): Promise<Outcome> => {
    ran += 1;
    return Promise.resolve(ok);
  };
  let yieldLane: () => void = () => undefined;
  const yielded = new Promise<void>((resolve) => (yieldLane = resolve));
  const parts = { commandClass: "send", token: "1" as SlotToken, signal: left, yieldLane, run } as const;
  return { task, recorded, left, yielded, start: () => recorded.run(task, parts), ran: () => ran };
}

describe("a message that an earlier owner may have begun without a record", () => {
  it("is a repeat although no record says so", async () => {
    const { task, start } = await resent({ begun: true, connected: true });
    expect(await start()).toEqual(ok);
    expect(task.tries).toBe("repeated");
  });
  it("is answered by the outcome of a later try", async () => {
    const { start, ran } = await resent({ begun: true, connected: true }, { begun: { kind: "done", outcome: ok } });
    expect(await start()).toEqual(ok);
    expect(ran()).toBe(0);
  });
  it("waits for the connection, because 'session not connected' would mean that it was not sent", async () => {
    const { task, start, left, yielded, ran } = await resent({ begun: true, connected: false });
    const outcome = start();
    outcome.catch(() => undefined);
    await yielded;
    left.abort();
    await expect(outcome).rejects.toMatchObject({ name: "AbortError" });
    expect([ran(), task.effect]).toEqual([0, "possible"]);
  });
  it("does not wait for its session's pace, which may reject it", async () => {
    const { task, recorded, left } = await resent({ begun: true, connected: true });
    expect(await recorded.isOnRecord(task, left)).toBe(true);
  });
});

describe("a message that no owner had begun", () => {
  it("is a first try", async () => {
    const { task, start } = await resent({ begun: false, connected: true });
    expect(await start()).toEqual(ok);
    expect(task.tries).toBe("first");
  });
  it("is rejected without a connection", async () => {
    const { start } = await resent({ begun: false, connected: false });
    await expect(start()).rejects.toMatchObject({ message: "session not connected" });
  });
});
