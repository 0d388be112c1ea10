import { describe, expect, it } from "vitest";
import type { PasskeyOptions } from "../../../../../shared/contract/passkey.js";
import type { PasskeyAttempt } from "../../../../../shard/whatsapp/passkey/passkey-attempt.js";
import {
  confirmedOf,
  acceptsAssertion,
  isConfirmable,
  planChallenge,
  planLate,
  planReveal,
} from "../../../../../shard/whatsapp/passkey/passkey-plan.js";
import { makePrologue } from "../../../../../shard/whatsapp/passkey/prologue.js";

const now = 1_000_000;
const { side } = makePrologue("ref", 1);
const parts = { token: "t", handoffKey: Buffer.alloc(32, 1), handoffUntil: now + 9, advSecret: Buffer.alloc(32, 2), until: now + 5 };
const optionsWith = (challenge: string): PasskeyOptions => ({ challenge }) as PasskeyOptions;
const keyOf = (byte: number) => ({ publicKey: Buffer.alloc(32, byte), nonce: Buffer.alloc(5, 7) });
const challenge = { phase: "challenge", options: optionsWith("c1"), ...parts } as const satisfies PasskeyAttempt;
const sent = (proven: boolean) => ({ phase: "sent", side, proven, ...parts }) as const satisfies PasskeyAttempt;
const revealed = (proven: boolean) => ({ phase: "revealed", side, proven, primary: keyOf(4), ...parts }) as const satisfies PasskeyAttempt;
const confirmed = confirmedOf(revealed(false), now + 5);

describe("a challenge of the platform", () => {
  it.each<[string, PasskeyAttempt | undefined, PasskeyOptions | undefined, string]>([
    ["the first one", undefined, optionsWith("c1"), "ask"],
    ["the same once more", challenge, optionsWith("c1"), "leave"],
    ["another one", challenge, optionsWith("c2"), "ask"],
    ["one after the answer to the last", sent(true), optionsWith("c1"), "ask"],
    ["one after the phone's key", revealed(false), optionsWith("c1"), "ask"],
    ["one that cannot be read", challenge, undefined, "unreadable"],
  ])("%s", (_, attempt, options, kind) => {
    const plan = planChallenge(attempt, options);
    expect(plan.kind === "fail" ? plan.outcome : plan.kind).toBe(kind);
  });
});

describe("the phone's key", () => {
  const plan = (attempt: PasskeyAttempt | undefined, key: number | undefined) =>
    planReveal(attempt, key === undefined ? undefined : keyOf(key), (proven) => now + (proven ? 60 : 300));
  it.each<[string, PasskeyAttempt | undefined, number | undefined, object]>([
    ["for nothing that is asked", undefined, 4, { kind: "leave" }],
    ["before the owner has answered", challenge, 4, { kind: "leave" }],
    ["that cannot be read, before the owner has answered", challenge, undefined, { kind: "leave" }],
    ["that cannot be read", sent(false), undefined, { kind: "fail", outcome: "unreadable" }],
    ["that the owner compares", sent(false), 4, { kind: "reveal", isNew: true, revealed: { ...revealed(false), until: now + 300 } }],
    ["with a proof instead", sent(true), 4, { kind: "reveal", isNew: true, revealed: { ...revealed(true), until: now + 60 } }],
    ["once more", revealed(false), 4, { kind: "reveal", isNew: false, revealed: { ...revealed(false), until: now + 300 } }],
    ["that is another one than before", revealed(false), 5, { kind: "fail", outcome: "changed" }],
    ["once more after all was said", confirmed, 4, { kind: "leave" }],
    ["that is another one after all was said", confirmed, 5, { kind: "fail", outcome: "changed" }],
  ])("%s", (_, attempt, key, expected) => {
    expect(plan(attempt, key)).toMatchObject(expected);
  });
});

it("time is over for a phase whose end has come, and for none of a device that is linked meanwhile", () => {
  expect(planLate(undefined, { paired: false, now })).toEqual({ kind: "leave" });
  expect(planLate(challenge, { paired: true, now: now + 5 })).toEqual({ kind: "leave" });
  expect(planLate(challenge, { paired: false, now: now + 4 })).toEqual({ kind: "wait" });
  for (const attempt of [challenge, sent(true), revealed(false), confirmed])
    expect(planLate(attempt, { paired: false, now: now + 5 })).toMatchObject({ kind: "fail", outcome: "late" });
});

it("accepts an assertion in time, and compares codes without a proof", () => {
  const all = [undefined, challenge, sent(false), revealed(false), revealed(true), confirmed];
  expect(all.map((attempt) => acceptsAssertion(attempt, now))).toEqual([false, true, false, false, false, false]);
  expect(all.map((attempt) => isConfirmable(attempt, now))).toEqual([false, false, false, true, false, false]);
  expect([acceptsAssertion(challenge, now + 5), isConfirmable(revealed(false), now + 5)]).toEqual([false, false]);
});
