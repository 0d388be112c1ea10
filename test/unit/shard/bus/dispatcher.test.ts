import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { inputContext, type Envelope } from "../../../../shared/bus/envelope.js";
import { internal, sessionNotConnected } from "../../../../shared/contract/errors.js";
import { factsOf } from "../../../../shared/contract/commands.js";
import { newCommandId, newSessionId } from "../../../../shared/contract/ids.js";
import { platforms } from "../../../../shared/contract/platform.js";
import { KeyRing } from "../../../../shared/config/key-ring.js";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { Dispatcher } from "../../../../shard/bus/dispatcher.js";
import { SessionFinder } from "../../../../shard/bus/session-finder.js";
import { isKnown, Task } from "../../../../shard/bus/task.js";
import { running } from "../session/scripted-connector.js";

const ring = KeyRing.parse(`a:${randomBytes(32).toString("base64")}`);

/** Runs the command on a connected session. Its first attempts fail with `errors`. Resolves with the number of attempts. */
async function runs(platform: (typeof platforms)[number], name: "send-typing" | "send-message", errors: Error[]): Promise<number> {
  const one = running([]);
  await one.context.connected();
  const { session } = one;
  const facts = factsOf(platform, name);
  const id = newCommandId();
  const envelope = { id, platform, session: newSessionId(Date.now()), input: ring.sealBytes(Buffer.from("{}"), inputContext(id)) };
  const end = new AbortScope([], 60_000);
  const task = new Task({ entry: "1-0", ageMs: () => 0, envelope: envelope as unknown as Envelope, facts, left: end, effect: "none" });
  if (!isKnown(task)) throw new Error("an unknown command");
  const host = {
    get: () => session,
    prioritize: () => undefined,
    create: () => Promise.reject(internal()),
    undelete: () => Promise.reject(internal()),
  };
  const dispatcher = new Dispatcher({ ring, finder: new SessionFinder(host) });
  let tries = 0;
  const run = (): Promise<string> => {
    const error = errors[tries];
    tries += 1;
    return error === undefined ? Promise.resolve("done") : Promise.reject(error);
  };
  try {
    await dispatcher.dispatch(task, { accepts: () => true, run }, end, () => undefined);
    return tries;
  } finally {
    end.close();
    await session.close();
    await one.ran;
  }
}

const lost = (): Error => sessionNotConnected(new Error("closed"));

it.each(platforms)("shows typing again on the next connection, on %s, when one is lost under it", async (platform) => {
  expect(await runs(platform, "send-typing", [lost(), lost()])).toBe(3);
});

it.each(platforms)("repeats neither what failed otherwise, nor what is not a read, on %s", async (platform) => {
  await expect(runs(platform, "send-typing", [internal()])).rejects.toMatchObject({ status: 500, message: "internal server error" });
  await expect(runs(platform, "send-message", [lost()])).rejects.toMatchObject({ message: "session not connected" });
});
