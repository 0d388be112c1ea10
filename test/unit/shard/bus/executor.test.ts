import { afterEach, expect, it } from "vitest";
import type { CommandCall } from "../../../../shard/session/command.js";
import { Dispatcher } from "../../../../shard/bus/dispatcher.js";
import { Executor } from "../../../../shard/bus/executor.js";
import type { PaceLine } from "../../../../shard/bus/pace-line.js";
import type { RecordedRun, RunParts } from "../../../../shard/bus/recorded-run.js";
import { SessionFinder } from "../../../../shard/bus/session-finder.js";
import { Task } from "../../../../shard/bus/task.js";
import type { OpenEnvelope, Outcome } from "../../../../shared/bus/envelope.js";
import type { SlotToken } from "../../../../shared/cluster/ownership.js";
import { KeyRing } from "../../../../shared/config/key-ring.js";
import { internal } from "../../../../shared/contract/errors.js";
import { factsOf } from "../../../../shared/contract/commands.js";
import { newCommandId, newSessionId } from "../../../../shared/contract/ids.js";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { eventually } from "../../../harness/eventually.js";
import { running } from "../session/scripted-connector.js";

let close: () => Promise<void>;
afterEach(() => close());

/** A shard with one session and one message from the router of its process. The platform call lasts until `finish`. */
async function shardWith({ connected = true, refusesWrites = false } = {}) {
  const one = running([], { logsIn: connected });
  if (connected) await one.context.connected();
  close = async () => {
    await one.session.close();
    await one.ran;
  };
  const calls: Pick<CommandCall, "isFirstTry" | "isRepeat">[] = [];
  let finish: () => void = () => undefined;
  const run = (_session: never, _input: never, { isFirstTry, isRepeat }: CommandCall): Promise<unknown> => {
    calls.push({ isFirstTry: isFirstTry === true, isRepeat: isRepeat === true });
    return new Promise<unknown>((resolve) => (finish = () => resolve({ messageId: "5" })));
  };
  const table = { commands: { "send-message": { accepts: () => true, run } }, refusalOf: () => undefined };
  const records: string[] = [];
  const host = {
    get: () => one.session,
    prioritize: () => undefined,
    create: () => Promise.reject(internal()),
    undelete: () => Promise.reject(internal()),
  };
  const executor = new Executor({
    platforms: { whatsapp: table, telegram: table },
    loaded: () => Promise.resolve(),
    tenantOf: () => "default",
    isShared: () => false,
    token: () => "1" as SlotToken,
    paceOf: () => undefined,
    paceLine: {} as PaceLine,
    dispatcher: new Dispatcher({ ring: KeyRing.parse(`a:${"A".repeat(43)}=`), finder: new SessionFinder(host) }),
    recorded: {
      run: (task: Task, parts: RunParts) => {
        records.push(task.envelope.id);
        return parts.run();
      },
    } as unknown as RecordedRun,
    refusals: { note: () => undefined },
    refusesWrites: () => refusesWrites,
    metrics: {
      stage: () => undefined,
      age: () => undefined,
      undelivered: () => undefined,
      idempotent: () => undefined,
      rejected: () => undefined,
    },
    log: silentLog,
  });
  const left = new AbortScope();
  const head = { id: newCommandId(), platform: "telegram", command: "send-message", session: newSessionId(Date.now()), slot: 1 };
  const envelope = { ...head, ttl: 60_000, attempt: 0, opened: {}, isFirstTry: true } as unknown as OpenEnvelope;
  const task = new Task({ entry: "local-1", ageMs: () => 0, envelope, facts: factsOf("telegram", "send-message"), left, effect: "none" });
  const outcome: Promise<Outcome> = executor.execute(task);
  return { task, calls, records, outcome, left, finish: () => finish() };
}

it("keeps no record of a message from the router of its own process", async () => {
  const { calls, records, outcome, finish } = await shardWith();
  await eventually("the platform call", () => calls.length === 1);
  finish();
  expect(await outcome).toEqual({ kind: "ok", output: { messageId: "5" } });
  expect([calls, records]).toEqual([[{ isFirstTry: true, isRepeat: false }], []]);
});

it("keeps one while Redis refuses writes, whose begin then ends the message with 503", async () => {
  const { task, calls, records, outcome, finish } = await shardWith({ refusesWrites: true });
  await eventually("the platform call", () => calls.length === 1);
  finish();
  await outcome;
  expect(records).toEqual([task.envelope.id]);
});

it("says that a message had begun without a record when its slot leaves during the platform call", async () => {
  const { task, calls, outcome, left } = await shardWith();
  await eventually("the platform call", () => calls.length === 1);
  expect(task.effect).toBe("possible");
  left.abort();
  expect(await outcome).toEqual({ kind: "moved", begun: true, unrecorded: true });
});

it("says that a message had not begun when its slot leaves before the session is connected", async () => {
  const { task, calls, outcome, left } = await shardWith({ connected: false });
  await eventually("the wait for a connection", () => task.isUnrecorded);
  left.abort();
  expect(await outcome).toEqual({ kind: "moved" });
  expect([task.effect, calls]).toEqual(["none", []]);
});
