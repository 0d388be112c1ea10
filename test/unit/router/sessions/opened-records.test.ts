import { expect, it } from "vitest";
import { OpenedRecords, type SealedPart } from "../../../../router/sessions/opened-records.js";
import { newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import type { SessionState } from "../../../../shared/session/state.js";
import { testRing } from "../../../harness/owned-session.js";
import { sealedFields } from "../../../harness/sealed-fields.js";
import { anAccount } from "../support.js";

const id = newSessionId(Date.now());
const connected: SessionState = { kind: "connected", account: anAccount };

function partOf(of: SessionId, state: SessionState, account = "77"): SealedPart {
  const fields = sealedFields(of, { state: JSON.stringify(state), account });
  return { dataKey: Buffer.from(fields.dk), state: Buffer.from(fields.state), account: Buffer.from(fields.account), unreadable: null };
}

function counted(): { records: OpenedRecords; outcomes: string[] } {
  const outcomes: string[] = [];
  return { records: new OpenedRecords(testRing, { recordOpened: (outcome) => outcomes.push(outcome) }), outcomes };
}

it("opens a record once for as long as the same bytes stand there", () => {
  const { records, outcomes } = counted();
  const part = partOf(id, connected);
  const copied = (): SealedPart => ({ ...part, state: Buffer.from(part.state ?? ""), account: Buffer.from(part.account ?? "") });
  expect(records.open(id, part)).toMatchObject({ state: connected, lastAccount: "77" });
  expect(records.open(id, copied())?.state).toEqual(connected);
  expect(records.open(id, copied())?.state).toEqual(connected);
  const later = partOf(id, { kind: "disconnected", account: anAccount, elapsedMs: 5 }, "78");
  expect(records.open(id, later)).toMatchObject({ state: { kind: "disconnected", elapsedMs: 5 }, lastAccount: "78" });
  expect(outcomes).toEqual(["decrypted", "cached", "cached", "decrypted"]);
});

it("believes no memory where a key was exchanged, a byte was altered, or the owner says that the key does not open", () => {
  const { records, outcomes } = counted();
  const part = partOf(id, connected);
  records.open(id, part);
  expect(records.open(id, { ...part, dataKey: partOf(id, connected).dataKey })).toBeUndefined();
  const altered = Buffer.from(part.state ?? "");
  altered[50] = (altered[50] ?? 0) ^ 1;
  expect(records.open(id, { ...part, state: altered })).toBeUndefined();
  expect(records.open(id, { ...part, account: part.state })).toBeUndefined();
  expect(records.open(id, { ...part, unreadable: Buffer.from("1") })).toMatchObject({ state: { kind: "disconnected", unreadable: true } });
  expect(records.open(id, { ...part, dataKey: Buffer.from("a.AAAA") })).toMatchObject({ state: { unreadable: true }, lastAccount: "" });
  expect(records.open(id, part)?.state).toEqual(connected);
  expect(outcomes).toEqual(["decrypted", ...Array.from({ length: 5 }, () => "unreadable"), "cached"]);
});

it("remembers 32 MiB at most, and the latest", () => {
  const { records, outcomes } = counted();
  const picture = "x".repeat(1024 * 1024);
  const parts = Array.from({ length: 40 }, () => newSessionId(Date.now())).map(
    (of) => [of, partOf(of, { kind: "connected", account: { ...anAccount, picture } })] as const,
  );
  for (const [of, part] of parts) records.open(of, part);
  expect(records.size).toBeGreaterThan(28 * 1024 * 1024);
  expect(records.size).toBeLessThanOrEqual(32 * 1024 * 1024);
  outcomes.length = 0;
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error("no parts");
  records.open(...last);
  records.open(...first);
  expect(outcomes).toEqual(["cached", "decrypted"]);
});
