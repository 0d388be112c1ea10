import { describe, expect, it } from "vitest";
import {
  row,
  type CommandFacts,
  type CommandRow,
  type InputOf,
  type NewSession,
  type OutputOf,
} from "../../../../shared/contract/command-row.js";
import { sessionNotConnected } from "../../../../shared/contract/errors.js";
import type { Empty } from "../../../../shared/contract/session.js";

const whole = {
  class: "read",
  lane: "read",
  deadlineMs: 1_000,
  late: sessionNotConnected,
  needsConnection: true,
  changesRecord: false,
  isMessage: false,
  isAudited: false,
  session: "finds",
} as const satisfies CommandFacts;

/** `npm run typecheck` compiles this file: an expected error that the compiler no longer reports is an error itself. */
describe("a row", () => {
  it("does not compile without any one of its facts", () => {
    const { class: _class, ...withoutClass } = whole;
    const { lane: _lane, ...withoutLane } = whole;
    const { deadlineMs: _deadlineMs, ...withoutDeadline } = whole;
    const { late: _late, ...withoutLate } = whole;
    const { needsConnection: _needsConnection, ...withoutNeedsConnection } = whole;
    const { changesRecord: _changesRecord, ...withoutChangesRecord } = whole;
    const { isMessage: _isMessage, ...withoutIsMessage } = whole;
    const { isAudited: _isAudited, ...withoutIsAudited } = whole;
    const { session: _session, ...withoutSession } = whole;
    const rows = [
      // @ts-expect-error -- no class
      row<Empty, Empty>(withoutClass),
      // @ts-expect-error -- no lane
      row<Empty, Empty>(withoutLane),
      // @ts-expect-error -- no deadline
      row<Empty, Empty>(withoutDeadline),
      // @ts-expect-error -- no error for when it is late
      row<Empty, Empty>(withoutLate),
      // @ts-expect-error -- not said whether it needs a connection
      row<Empty, Empty>(withoutNeedsConnection),
      // @ts-expect-error -- not said whether callers read something else afterwards
      row<Empty, Empty>(withoutChangesRecord),
      // @ts-expect-error -- not said whether a session may send so many in a time
      row<Empty, Empty>(withoutIsMessage),
      // @ts-expect-error -- not said whether it is put on record
      row<Empty, Empty>(withoutIsAudited),
      // @ts-expect-error -- not said how it comes by its session
      row<Empty, Empty>(withoutSession),
    ];
    // A new fact of a row needs a case above.
    expect(rows).toHaveLength(Object.keys(whole).length);
  });
  it("creates its session exactly when its input says what that is to be", () => {
    // @ts-expect-error -- it knows the secret of a session that it would not create
    row<NewSession, Empty>(whole);
    // @ts-expect-error -- it knows no secret for the session that it would create
    row<Empty, Empty>({ ...whole, session: "creates" });
    expect(row<NewSession, Empty>({ ...whole, session: "creates" }).session).toBe("creates");
  });
  it("carries the types of its input and output", () => {
    type Row = CommandRow<{ a: string }, { b: number }>;
    const input: InputOf<Row> = { a: "a" };
    const output: OutputOf<Row> = { b: 1 };
    // @ts-expect-error -- the input's type is not the output's
    const swapped: InputOf<Row> = output;
    expect([input, swapped]).toEqual([{ a: "a" }, { b: 1 }]);
  });
});
