import { describe, expect, it } from "vitest";
import { parseKeyChange, parseNewKey } from "../../../../router/admin/key-body.js";
import type { KeyRole } from "../../../../router/tenant/principal.js";
import { parseNewTenant, parseTenantChange } from "../../../../router/admin/tenant-body.js";
import { ApiError } from "../../../../shared/contract/api-error.js";

const now = Date.parse("2026-11-22T12:00:00Z");
const badName = "must be 1 to 32 characters of a-z, 0-9 and -";
const badExpires = "expires must be an ISO 8601 instant in the future";
const badProxy = "400 proxy must be socks5://[user:password@]host:port or http://[user:password@]host:port";
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
    [{ name: "blue" }, { name: "blue", quotas: {}, pace: {}, proxy: "" }],
    [
      { name: "a-0", quotas: null },
      { name: "a-0", quotas: {}, pace: {}, proxy: "" },
    ],
    [
      { name: "blue", quotas: { sessions: 5 } },
      { name: "blue", quotas: { sessions: 5 }, pace: {}, proxy: "" },
    ],
    [
      { name: "blue", quotas: { sessions: null } },
      { name: "blue", quotas: { sessions: null }, pace: {}, proxy: "" },
    ],
    [{}, "400 name should not be empty"],
    [{ name: "" }, "400 name should not be empty"],
    [{ name: "Blue" }, `400 name ${badName}`],
    [{ name: "x".repeat(33) }, `400 name ${badName}`],
    [{ name: "a/b" }, `400 name ${badName}`],
    [{ name: ["blue"] }, `400 name ${badName}`],
    [{ name: "blue", label: "x" }, "400 unknown field label"],
    [JSON.parse('{"name":"blue","__proto__":1}'), "400 unknown field __proto__"],
    [{ ["x".repeat(65)]: 1, name: "blue" }, `400 unknown field ${"x".repeat(64)}`],
    [{ name: "blue", quotas: [] }, "400 quotas must be an object"],
    [{ name: "blue", quotas: 3 }, "400 quotas must be an object"],
    [{ name: "blue", quotas: { sessions: -1 } }, "400 quotas.sessions must be an integer from 0 to 1000000000"],
    [{ name: "blue", quotas: { sessions: 1.5 } }, "400 quotas.sessions must be an integer from 0 to 1000000000"],
    [{ name: "blue", quotas: { sessions: "5" } }, "400 quotas.sessions must be an integer from 0 to 1000000000"],
    [
      { name: "blue", quotas: { requestsPerSecond: 50, burst: 100, messagesPerDay: 1000 } },
      { name: "blue", quotas: { requestsPerSecond: 50, burst: 100, messagesPerDay: 1000 }, pace: {}, proxy: "" },
    ],
    [{ name: "blue", quotas: { requestsPerSecond: 0 } }, "400 quotas.requestsPerSecond must be an integer from 1 to 1000000"],
    [
      { name: "blue", quotas: { mediaBytesPerSecond: 1_023 } },
      "400 quotas.mediaBytesPerSecond must be an integer from 1024 to 1000000000000",
    ],
    [{ name: "blue", quotas: { inFlight: 0 } }, "400 quotas.inFlight must be an integer from 1 to 1000000"],
    [{ name: "blue", quotas: { webhooks: 1_000_001 } }, "400 quotas.webhooks must be an integer from 1 to 1000000"],
    [{ name: "blue", quotas: { downloads: "3" } }, "400 quotas.downloads must be an integer from 1 to 1000000"],
    [
      { name: "blue", pace: { sendsPerMinute: 0, newContactsPerHour: 3_600 } },
      { name: "blue", quotas: {}, pace: { sendsPerMinute: 0, newContactsPerHour: 3_600 }, proxy: "" },
    ],
    [
      { name: "blue", pace: null },
      { name: "blue", quotas: {}, pace: { sendsPerMinute: null, newContactsPerHour: null, warmUp: null }, proxy: "" },
    ],
    [
      { name: "blue", proxy: "socks5://ann:pass@proxy.example.com:1080" },
      { name: "blue", quotas: {}, pace: {}, proxy: "socks5://ann:pass@proxy.example.com:1080" },
    ],
    [{ name: "blue", proxy: "ftp://proxy.example.com:21" }, badProxy],
    [{ name: "blue", proxy: { host: "proxy.example.com" } }, badProxy],
    // A quota that nothing enforces is rejected.
    [{ name: "blue", quotas: { uploads: 1 } }, "400 unknown field quotas.uploads"],
    [{ x: 1, name: 2, quotas: 3 }, `400 unknown field x\nname ${badName}\nquotas must be an object`],
  ])("%j", (body, expected) => {
    expect(told(() => parseNewTenant(body))).toEqual(expected);
  });
});

it.each<[object, unknown]>([
  [{}, { quotas: {}, pace: {}, proxy: undefined }],
  [{ quotas: { sessions: 0 } }, { quotas: { sessions: 0 }, pace: {}, proxy: undefined }],
  [{ proxy: null }, { quotas: {}, pace: {}, proxy: "" }],
  [{ proxy: "http://proxy.example.com:3128" }, { quotas: {}, pace: {}, proxy: "http://proxy.example.com:3128" }],
  [{ proxy: "proxy.example.com:3128" }, badProxy],
  [{ name: "red" }, "400 unknown field name"],
  [{ quotas: "x" }, "400 quotas must be an object"],
  [{ pace: { newContactsPerHour: null } }, { quotas: {}, pace: { newContactsPerHour: null }, proxy: undefined }],
  [{ pace: null }, { quotas: {}, pace: { sendsPerMinute: null, newContactsPerHour: null, warmUp: null }, proxy: undefined }],
  [{ pace: {} }, { quotas: {}, pace: {}, proxy: undefined }],
  [{ pace: 30 }, "400 pace must be an object"],
  [{ pace: [30] }, "400 pace must be an object"],
  [{ pace: { sendsPerMinute: -1 } }, "400 pace.sendsPerMinute must be an integer from 0 to 6000"],
  [{ pace: { sendsPerMinute: 0.5 } }, "400 pace.sendsPerMinute must be an integer from 0 to 6000"],
  [{ pace: { sendsPerMinute: 6_001 } }, "400 pace.sendsPerMinute must be an integer from 0 to 6000"],
  [{ pace: { sendsPerMinute: "30" } }, "400 pace.sendsPerMinute must be an integer from 0 to 6000"],
  [{ pace: { newContactsPerHour: 3_601 } }, "400 pace.newContactsPerHour must be an integer from 0 to 3600"],
  [
    { pace: { sends: 1, newContactsPerHour: 1e21 }, quotas: { sendsPerMinute: 1 } },
    "400 unknown field quotas.sendsPerMinute\nunknown field pace.sends\npace.newContactsPerHour must be an integer from 0 to 3600",
  ],
  [JSON.parse('{"pace":{"__proto__":1}}'), "400 unknown field pace.__proto__"],
  [{ pace: { warmUp: { days: 14, from: 50 } } }, { quotas: {}, pace: { warmUp: { days: 14, from: 50 } }, proxy: undefined }],
  [{ pace: { warmUp: null } }, { quotas: {}, pace: { warmUp: null }, proxy: undefined }],
  [{ pace: { warmUp: 14 } }, "400 pace.warmUp must be an object"],
  [{ pace: { warmUp: [] } }, "400 pace.warmUp must be an object"],
  [{ pace: { warmUp: { days: 14 } } }, "400 pace.warmUp.from must be an integer from 1 to 100000"],
  [{ pace: { warmUp: { days: null, from: 5 } } }, "400 pace.warmUp.days must be an integer from 1 to 365"],
  [
    { pace: { warmUp: { days: 0, from: 1.5, to: 9 } } },
    "400 unknown field pace.warmUp.to\npace.warmUp.days must be an integer from 1 to 365\npace.warmUp.from must be an integer from 1 to 100000",
  ],
  [JSON.parse('{"pace":{"warmUp":{"__proto__":1,"days":1,"from":1}}}'), "400 unknown field pace.warmUp.__proto__"],
])("a tenant's change %j", (body, expected) => {
  expect(told(() => parseTenantChange(body))).toEqual(expected);
});

const readProxy = "400 proxy should be empty: the role read creates no sessions";

it.each<[KeyRole, object, unknown]>([
  ["create", {}, undefined],
  ["create", { proxy: null }, ""],
  ["admin", { proxy: "" }, ""],
  ["tenant", { proxy: "socks5h://proxy.example.com:1080" }, "socks5h://proxy.example.com:1080"],
  ["tenant", { proxy: "proxy.example.com:1080" }, badProxy],
  ["read", { proxy: null }, ""],
  ["read", { proxy: "socks5://proxy.example.com:1080" }, readProxy],
  ["create", { role: "admin", label: "x" }, "400 unknown field role\nunknown field label"],
])("a change of a key of the role %s: %j", (role, body, expected) => {
  expect(told(() => parseKeyChange(body, role))).toEqual(expected);
});

describe("a new key", () => {
  const key = { tenant: "blue", role: "tenant", label: "", expires: "", proxy: "" };
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
    [
      { tenant: "blue", role: "tenant", proxy: "http://proxy.example.com:3128" },
      { ...key, proxy: "http://proxy.example.com:3128" },
    ],
    [{ tenant: "blue", role: "tenant", proxy: null }, key],
    [{ role: "create", tenant: "blue", proxy: "file:///etc/passwd" }, badProxy],
    [{ role: "create", tenant: "blue", proxy: ["socks5://proxy.example.com:1080"] }, badProxy],
    [{ role: "read", tenant: "blue", proxy: "socks5://proxy.example.com:1080" }, readProxy],
    [{ role: "root", tenant: "blue", proxy: 1 }, `400 ${badRole}\n${badProxy.slice(4)}`],
    [{}, `400 tenant should not be empty\n${badRole}`],
    [{ role: "admin", tenant: "blue" }, "400 tenant should be empty: the role admin belongs to none"],
    [{ role: "root", tenant: "blue" }, `400 ${badRole}`],
    [{ role: "read", tenant: "../x" }, `400 tenant ${badName}`],
    [{ role: "read", tenant: "blue", expires: "2026-11-22T12:00:00Z" }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", expires: "2027-01-01" }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", expires: 1900000000000 }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", expires: "2027-13-01T00:00:00Z" }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", expires: "2027-02-29T00:00:00Z" }, `400 ${badExpires}`],
    [{ role: "read", tenant: "blue", label: 7 }, "400 label must be a string"],
    [{ role: "read", tenant: "blue", scope: "x", id: 1 }, "400 unknown field scope\nunknown field id"],
  ])("%j", (body, expected) => {
    expect(told(() => parseNewKey(body, now))).toEqual(expected);
  });
});
