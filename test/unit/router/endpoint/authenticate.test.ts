import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { authenticate, requireActive, type SessionPort } from "../../../../router/endpoint/authenticate.js";
import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import { newSessionId, newSessionSecret } from "../../../../shared/contract/ids.js";
import { WrongCredentials } from "../../../../router/tenant/guard/wrong-credentials.js";
import { FormerRights } from "../../../../router/sessions/former-rights.js";
import type { StoredSession } from "../../../../router/sessions/session-reader.js";
import { keyRoles, type KeyRole, type Principal } from "../../../../router/tenant/principal.js";
import { ApiError } from "../../../../shared/contract/api-error.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { aRequest, aSession, knownKeys } from "../support.js";

const id = newSessionId(Date.now());
const secret = newSessionSecret();
const secretHash = createHash("sha256").update(secret).digest("hex");

function sessionsWith(session: StoredSession | undefined, later: StoredSession | undefined = session): SessionPort & { reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    read: (_, wanted, admits = () => true) => {
      reads.push(wanted);
      const found = session?.id === wanted ? session : undefined;
      return Promise.resolve(admits(found) ? found : undefined);
    },
    atHand: () => undefined,
    waitActive: () => Promise.resolve(later),
    former: new FormerRights(),
  };
}

const known = aSession({ id, secretHash });
const keys = knownKeys(ConfiguredKeys.parse(""));

describe("authenticate", () => {
  it("gives the session and the caller's own secret", async () => {
    expect(await authenticate(sessionsWith(known), keys, "telegram", aRequest({ id, "session-id": secret }))).toEqual({
      session: known,
      secret,
    });
  });

  it.each<[string, Record<string, string | string[]>]>([
    ["nothing", {}],
    ["no session-id", { id }],
    ["no id", { "session-id": secret }],
    ["an empty id", { id: "", "session-id": secret }],
    ["an empty session-id", { id, "session-id": "" }],
    ["an id over 128 bytes", { id: "a".repeat(129), "session-id": secret }],
    ["a session-id over 128 bytes", { id, "session-id": "a".repeat(129) }],
    ["an id that is not ASCII", { id: `${id.slice(1)}\u00e9x`, "session-id": secret }],
    ["a session-id that is not ASCII", { id, "session-id": "caf\u00e9s" }],
    ["a repeated id", { id: [id, id], "session-id": secret }],
    ["a repeated session-id", { id, "session-id": [secret, "x"] }],
  ])("answers 400 to %s", async (_, headers) => {
    const sessions = sessionsWith(known);
    await expect(authenticate(sessions, keys, "telegram", aRequest(headers))).rejects.toMatchObject({
      status: 400,
      message: "invalid header",
    });
    expect(sessions.reads).toEqual([]);
  });

  it.each<[string, Record<string, string>, StoredSession | undefined]>([
    ["a wrong session-id", { id, "session-id": newSessionSecret() }, known],
    ["an id that nobody has", { id: newSessionId(Date.now()), "session-id": secret }, known],
    ["an id of another shape", { id: "../../etc", "session-id": secret }, known],
    ["an id of 128 bytes", { id: "a".repeat(128), "session-id": secret }, known],
    ["a deleted session", { id, "session-id": secret }, { ...known, state: { kind: "deleted", reason: "owner" } }],
    ["a stored hash that is none", { id, "session-id": secret }, { ...known, secretHash: "" }],
  ])("answers 404 to %s", async (_, headers, session) => {
    await expect(authenticate(sessionsWith(session), keys, "telegram", aRequest(headers))).rejects.toMatchObject({
      status: 404,
      message: "session not found",
    });
  });

  it("reports the deletion only to a caller with the right secret", async () => {
    const gone = newSessionSecret();
    const sessions = sessionsWith(known);
    await authenticate(sessions, keys, "telegram", aRequest({ id, "session-id": secret }));
    const later: SessionPort = { ...sessionsWith(undefined), former: sessions.former };
    const answerTo = async (pair: Record<string, string>): Promise<unknown> =>
      await authenticate(later, keys, "telegram", aRequest(pair)).catch((error: unknown) => error);
    const owner = await answerTo({ id, "session-id": secret });
    expect(owner).toMatchObject({ status: 404, message: "session not found" });
    expect(owner).not.toBeInstanceOf(WrongCredentials);
    for (const pair of [
      { id, "session-id": gone },
      { id: newSessionId(Date.now()), "session-id": secret },
    ])
      expect(await answerTo(pair)).toBeInstanceOf(WrongCredentials);
  });

  it("reports a deletion that happened a moment ago as well", async () => {
    const deleted: StoredSession = { ...known, state: { kind: "deleted", reason: "owner" } };
    const sessions = sessionsWith(known);
    await authenticate(sessions, keys, "telegram", aRequest({ id, "session-id": secret }));
    const later: SessionPort = { ...sessionsWith(deleted), former: sessions.former };
    const answer = await authenticate(later, keys, "telegram", aRequest({ id, "session-id": secret })).catch((error: unknown) => error);
    expect(answer).not.toBeInstanceOf(WrongCredentials);
    expect(answer).toMatchObject({ status: 404, message: "session not found" });
  });

  it("builds no key of an id that is no database id", async () => {
    const sessions = sessionsWith(known);
    await authenticate(sessions, keys, "telegram", aRequest({ id: "session:{1}:x", "session-id": secret })).catch(() => {});
    expect(sessions.reads).toEqual([]);
  });
});

describe("authenticate with an api key", () => {
  const key = (role: KeyRole, tenant = "blue"): Principal =>
    role === "admin" ? { keyId: role, role } : { keyId: role, role, tenant: tenant as TenantName, incarnation: "" };
  const ring = new Map<string, Principal>([
    ...keyRoles.map((role): [string, Principal] => [role, key(role)]),
    ...keyRoles.map((role): [string, Principal] => [`other ${role}`, key(role, "red")]),
  ]);
  const port = knownKeys({ isOpen: false, find: (given) => ring.get(given) });
  const blue = aSession({ id, secretHash, tenant: "blue" as TenantName });
  const ask = async (headers: Record<string, string | string[]>): Promise<unknown> =>
    await authenticate(sessionsWith(blue), port, "telegram", aRequest(headers)).then(
      (found) => found.secret,
      (error: unknown) => (error instanceof ApiError ? error.status : error),
    );

  // The expected result: the secret that was right, empty when the key sufficed, or a status.
  it.each<[string, alone: unknown, withRight: unknown, withWrong: unknown]>([
    ["admin", "", secret, 404],
    ["tenant", "", secret, 404],
    ["create", 403, secret, 404],
    ["read", 403, secret, 404],
    ["other admin", "", secret, 404],
    ["other tenant", 404, 404, 404],
    ["other create", 403, 404, 404],
    ["other read", 403, 404, 404],
    ["nobody's", 401, 401, 401],
  ])("of %s: alone %j, with the secret %j, with another %j", async (given, alone, withRight, withWrong) => {
    expect([
      await ask({ id, "x-api-key": given }),
      await ask({ id, "x-api-key": given, "session-id": secret }),
      await ask({ id, "x-api-key": given, "session-id": newSessionSecret() }),
    ]).toEqual([alone, withRight, withWrong]);
  });

  it.each<[string, Record<string, string | string[]>, number]>([
    ["no id", { "x-api-key": "tenant" }, 400],
    ["an empty session-id", { id, "x-api-key": "tenant", "session-id": "" }, 400],
    ["a repeated session-id", { id, "x-api-key": "tenant", "session-id": [secret, secret] }, 400],
    ["an empty key", { id, "x-api-key": "" }, 401],
    ["a repeated key", { id, "x-api-key": ["tenant", "tenant"] }, 401],
    ["a key over 128 bytes", { id, "x-api-key": "k".repeat(129) }, 401],
    ["an id that nobody has", { id: newSessionId(Date.now()), "x-api-key": "tenant" }, 404],
    ["an id of another shape", { id: "x", "x-api-key": "tenant" }, 404],
  ])("refuses %s", async (_, headers, status) => {
    expect(await ask(headers)).toBe(status);
  });
});

describe("requireActive", () => {
  const { signal } = new AbortController();
  const idle = { ...known, active: false };

  it("takes an active session as it is", async () => {
    expect(await requireActive(sessionsWith(undefined), known, signal)).toBe(known);
  });
  it("waits for an owner", async () => {
    expect(await requireActive(sessionsWith(idle, known), idle, signal)).toBe(known);
  });
  it("responds with 500 session not found when its owner has not opened it", async () => {
    await expect(requireActive(sessionsWith(idle, idle), idle, signal)).rejects.toMatchObject({
      status: 500,
      message: "session not found",
    });
  });
  it("lets a command wait for its owner where none lives, or one is new", async () => {
    const unowned = { ...idle, owned: false };
    expect(await requireActive(sessionsWith(unowned, unowned), unowned, signal)).toBe(unowned);
  });
  it("responds with 404 when the session was deleted meanwhile", async () => {
    await expect(requireActive(sessionsWith(undefined), idle, signal)).rejects.toMatchObject({ status: 404, message: "session not found" });
  });
});
