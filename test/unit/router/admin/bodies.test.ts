import { describe, expect, it } from "vitest";
import { parseNewKey } from "../../../../router/admin/key-body.js";
import { pageOf, parsePage } from "../../../../router/admin/page.js";
import { parseNewTenant, parseTenantChange } from "../../../../router/admin/tenant-body.js";
import { ApiError } from "../../../../shared/contract/api-error.js";

const now = Date.parse("2026-11-22T12:00:00Z");
const badName = "must be 1 to 32 characters of a-z, 0-9 and -";
const badExpires = "expires must be an ISO 8601 instant in the future";
const badRole = "role must be one of the following values: admin, tenant, create, read";

function told(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return error instanceof ApiError ? `${error.status} ${error.message}` : error;
  }
}

describe("a new tenant", () => {
  it.each<[object, unknown]>([
    [{ name: "blue" }, { name: "blue", quotas: {} }],
    [
      { name: "a-0", quotas: null },
      { name: "a-0", quotas: {} },
    ],
    [
      { name: "blue", quotas: { sessions: 5 } },
      { name: "blue", quotas: { sessions: 5 } },
    ],
    [
      { name: "blue", quotas: { sessions: null } },
      { name: "blue", quotas: { sessions: null } },
    ],
    [{}, "400 name should not be empty"],
    [{ name: "" }, "400 name should not be empty"],
    [{ name: "Blue" }, `400 name ${badName}`],
    [{ name: "x".repeat(33) }, `400 name ${badName}`],
    [{ name: "a/b" }, `400 name ${badName}`],
    [{ name: ["blue"] }, `400 name ${badName}`],
    [{ name: "blue", label: "x" }, "400 property label should not exist"],
    [JSON.parse('{"name":"blue","__proto__":1}'), "400 property __proto__ should not exist"],
    [{ ["x".repeat(65)]: 1, name: "blue" }, `400 property ${"x".repeat(64)} should not exist`],
    [{ name: "blue", quotas: [] }, "400 quotas must be an object"],
    [{ name: "blue", quotas: 3 }, "400 quotas must be an object"],
    [{ name: "blue", quotas: { sessions: -1 } }, "400 quotas.sessions must be an integer from 0 to 1000000000"],
    [{ name: "blue", quotas: { sessions: 1.5 } }, "400 quotas.sessions must be an integer from 0 to 1000000000"],
    [{ name: "blue", quotas: { sessions: "5" } }, "400 quotas.sessions must be an integer from 0 to 1000000000"],
    // What nothing enforces is not taken.
    [{ name: "blue", quotas: { webhooks: 1 } }, "400 property quotas.webhooks should not exist"],
    [{ x: 1, name: 2, quotas: 3 }, `400 property x should not exist\nname ${badName}\nquotas must be an object`],
  ])("%j", (body, expected) => {
    expect(told(() => parseNewTenant(body))).toEqual(expected);
  });
});

it.each<[object, unknown]>([
  [{}, {}],
  [{ quotas: { sessions: 0 } }, { sessions: 0 }],
  [{ name: "red" }, "400 property name should not exist"],
  [{ quotas: "x" }, "400 quotas must be an object"],
])("a tenant's change %j", (body, expected) => {
  expect(told(() => parseTenantChange(body))).toEqual(expected);
});

describe("a new key", () => {
  const key = { tenant: "blue", role: "tenant", label: "", expires: "" };
  it.each<[object, unknown]>([
    [{ tenant: "blue", role: "tenant" }, key],
    [{ role: "admin" }, { ...key, tenant: "", role: "admin" }],
    [
      { role: "admin", tenant: null },
      { ...key, tenant: "", role: "admin" },
    ],
    [
      { tenant: "blue", role: "tenant", label: "CI" },
      { ...key, label: "CI" },
    ],
    [
      { tenant: "blue", role: "tenant", expires: "2026-11-22T14:00:00+01:00" },
      { ...key, expires: "2026-11-22T13:00:00.000Z" },
    ],
    [{ tenant: "blue", role: "tenant", expires: null, label: null }, key],
    [{}, `400 tenant should not be empty\n${badRole}`],
    [{ role: "admin", tenant: "blue" }, "400 tenant should be empty: the role admin belongs to none"],
    [{ role: "root", tenant: "blue" }, `400 ${badRole}`],
    [{ role: "read", tenant: "../x" }, `400 tenant ${badName}`],
    [{ role: "read", tenant: "blue", expires: "2026-11-22T12:00:00Z" }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", expires: "2027-01-01" }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", expires: 1900000000000 }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", expires: "2027-13-01T00:00:00Z" }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", label: 7 }, "400 label must be a string"],
    [{ role: "read", tenant: "blue", scope: "x", id: 1 }, "400 property scope should not exist\nproperty id should not exist"],
  ])("%j", (body, expected) => {
    expect(told(() => parseNewKey(body, now))).toEqual(expected);
  });
});

describe("a page", () => {
  const isName = (text: string): boolean => /^[a-z]$/.test(text);
  const ask = (query: Record<string, string | string[]>): unknown => told(() => parsePage({ params: {}, query, body: {} }, isName));
  it.each<[Record<string, string | string[]>, unknown]>([
    [{}, { limit: 100, after: "" }],
    [
      { limit: "1000", after: "b" },
      { limit: 1000, after: "b" },
    ],
    [{ limit: "0" }, "400 limit must be an integer from 1 to 1000"],
    [{ limit: "1001" }, "400 limit must be an integer from 1 to 1000"],
    [{ limit: "1e3" }, "400 limit must be an integer from 1 to 1000"],
    [{ limit: ["1", "2"] }, "400 limit must be an integer from 1 to 1000"],
    [{ after: "bb" }, "400 after must be the next of a page"],
    [{ after: ["a", "b"], limit: "x" }, "400 limit must be an integer from 1 to 1000\nafter must be the next of a page"],
  ])("asked for by %j", (query, expected) => {
    expect(ask(query)).toEqual(expected);
  });
  it("follows the one before, to the end", () => {
    const all = ["c", "a", "d", "b"];
    const page = (limit: number, after: string): unknown => pageOf(all, (name) => name, { limit, after });
    expect(page(2, "")).toEqual({ docs: ["a", "b"], next: "b" });
    expect(page(2, "b")).toEqual({ docs: ["c", "d"], next: "" });
    expect(page(2, "bb")).toEqual({ docs: ["c", "d"], next: "" });
    expect(page(1, "d")).toEqual({ docs: [], next: "" });
  });
});
