import { readFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import { pause } from "../../../shared/flow/pause.js";
import { isSession } from "../gateway/responses.js";
import { dataDirOf } from "../settings.js";
import type { CheckedAccount } from "./checked-account.js";
import { LeftOut } from "./left-out.js";

const pollMs = 250;
const endMs = 60_000;

const parse = typia.json.createIsParse<{ member: string; pid: number }[]>();

/** Ends the process that owns the account's session, and waits until it is gone; `npm start` starts another one. */
export async function endOwner({ settings: { cli }, id }: CheckedAccount, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const { member } = await cli.client.request({ path: `/admin/sessions/${id}` }, isSession);
  const pid = members(join(dataDirOf(cli.options, cli.environment), "members.json")).find((row) => row.member === member)?.pid;
  if (pid === undefined) throw new LeftOut("the shard is no process of npm start on this machine");
  process.kill(pid, signal);
  const endsAt = performance.now() + endMs;
  while (isThere(pid)) {
    if (performance.now() > endsAt) throw new Error(`the shard did not end within ${endMs / 1_000} s`);
    await pause(pollMs, cli.signal);
    cli.signal.throwIfAborted();
  }
}

function members(file: string): readonly { member: string; pid: number }[] {
  try {
    return parse(readFileSync(file, "utf8")) ?? [];
  } catch {
    return []; // The file is missing: another kind of deployment, or another machine.
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
