import { routerErrors } from "../errors/router-errors.js";
import { keyId, ofPages } from "./shared-texts.js";
import type { Replies, Texts } from "./types.js";

const tenant = {
  name: "acme",
  created: "2026-11-21T14:27:39.000Z",
  quotas: {
    sessions: 100,
    requestsPerSecond: 20,
    burst: 40,
    inFlight: null,
    messagesPerDay: 5_000,
    mediaBytesPerSecond: null,
    downloads: null,
    webhooks: null,
  },
  pace: { sendsPerMinute: 60, newContactsPerHour: null, warmUp: { days: 14, from: 50 } },
  proxy: "socks5://***@proxy.example.com:1080",
} satisfies Replies["get-tenant"];
const usedTenant = { ...tenant, usage: { messagesToday: 1_204 } } satisfies Replies["get-tenant"];
const key = {
  id: keyId,
  tenant: "acme",
  role: "tenant",
  label: "shop backend",
  created: "2026-11-21T14:27:39.000Z",
  expires: null,
  proxy: null,
  lastUsed: null,
} satisfies Replies["list-keys"]["docs"][number];

export const tenantTexts = {
  "sign-in": {
    tag: "Operators: tenants and keys",
    summary: "Sign in with a one-time code",
    description:
      "Exchanges the code from the link that `npm start` prints for an admin key, valid for 12 hours. A wrong code counts as a failed attempt, like a wrong key.",
    status: 201,
    requests: { code: { summary: "Code", body: { code: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCy" } } },
    reply: { key: "tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g", expires: "2026-11-22T22:00:00.000Z" },
    errors: [routerErrors.invalidSignInCode, routerErrors.noMoreKeys],
  },
  "get-self": {
    tag: "Operators: tenants and keys",
    summary: "Get current key",
    description: "Returns the role, the tenant and the allowed actions of the key in `x-api-key`.",
    reply: {
      key: key.id,
      role: "tenant",
      tenant: "acme",
      may: ["read-self", "create-session", "use-session", "read-session", "operate-session"],
    },
  },
  "list-tenants": {
    tag: "Operators: tenants and keys",
    summary: "List tenants",
    parameters: { limit: 100, after: "" },
    reply: { docs: [usedTenant], next: "" },
    errors: ofPages,
  },
  "create-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Create a tenant",
    status: 201,
    requests: {
      quotas: {
        summary: "With quotas",
        body: { name: "acme", quotas: { sessions: 100, requestsPerSecond: 20, burst: 40, messagesPerDay: 5_000 } },
      },
      pace: { summary: "With its own pace", body: { name: "acme-shop", pace: { sendsPerMinute: 60 } } },
      proxy: { summary: "Behind a proxy", body: { name: "acme-east", proxy: "socks5://acme:c0rrect-h0rse@proxy.example.com:1080" } },
    },
    reply: { ...tenant, usage: { messagesToday: 0 } },
    errors: [routerErrors.burstAlone, routerErrors.tenantExists, routerErrors.noMoreTenants],
  },
  "get-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Get a tenant",
    parameters: { name: "acme" },
    reply: usedTenant,
    errors: [routerErrors.tenantNotFound],
  },
  "change-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Update a tenant",
    description:
      "Changes the fields in the body and keeps the others. A quota below current use affects new requests only. A new pace also applies to waiting messages; a message that would wait too long gets 429. With a new proxy the tenant's sessions reconnect, as many at once as a shard allows. Responses never include the proxy's login.",
    parameters: { name: "acme" },
    requests: {
      quotas: { summary: "New quota", body: { quotas: { sessions: 200, messagesPerDay: null } } },
      pace: { summary: "New pace", body: { pace: { sendsPerMinute: null, newContactsPerHour: 5 } } },
      warmUp: { summary: "Slow new accounts", body: { pace: { warmUp: { days: 14, from: 50 } } } },
      proxy: { summary: "New proxy", body: { proxy: "http://acme:c0rrect-h0rse@proxy.example.com:3128" } },
    },
    reply: { ...tenant, quotas: { ...tenant.quotas, sessions: 200, messagesPerDay: null } },
    errors: [routerErrors.burstAlone, routerErrors.tenantNotFound],
  },
  "delete-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Delete a tenant",
    description: "Deletes the tenant and its keys. The tenant must not have sessions.",
    parameters: { name: "acme" },
    reply: { name: "acme" },
    errors: [routerErrors.tenantNotFound, routerErrors.defaultTenantStays, routerErrors.tenantHasSessions],
  },
  "list-keys": {
    tag: "Operators: tenants and keys",
    summary: "List API keys",
    description: "Returns keys in order of creation, without the secret values.",
    parameters: { limit: 100, after: "", tenant: "acme" },
    reply: { docs: [key], next: "" },
    errors: ofPages,
  },
  "create-key": {
    tag: "Operators: tenants and keys",
    summary: "Create an API key",
    description:
      "Store the key: no other response shows it. All routers accept it at once. Sessions created with the key use its `proxy` instead of the tenant's, unless `POST /session` sets another proxy.",
    status: 201,
    requests: {
      tenant: { summary: "For a tenant", body: { tenant: "acme", role: "tenant", label: "shop backend" } },
      admin: { summary: "For an operator, with an expiry date", body: { role: "admin", expires: "2030-01-01T00:00:00Z" } },
      proxy: {
        summary: "With a proxy for its sessions",
        body: { tenant: "acme", role: "create", label: "east", proxy: "socks5://acme:c0rrect-h0rse@proxy.example.com:1080" },
      },
    },
    reply: { ...key, key: "tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g" },
    errors: [routerErrors.tenantNotFound, routerErrors.noMoreKeys],
  },
  "change-key": {
    tag: "Operators: tenants and keys",
    summary: "Update an API key",
    description:
      "Sets the proxy of sessions created with this key from now on. All routers apply the change within a second. Existing sessions keep their proxy; change it with `PUT /admin/sessions/{id}/proxy`. Responses never include the proxy's login.",
    parameters: { id: key.id },
    requests: {
      proxy: { summary: "New proxy", body: { proxy: "http://acme:c0rrect-h0rse@proxy.example.com:3128" } },
      none: { summary: "No proxy", body: { proxy: null } },
    },
    reply: { ...key, proxy: "http://***@proxy.example.com:3128" },
    errors: [routerErrors.keyNotFound],
  },
  "delete-key": {
    tag: "Operators: tenants and keys",
    summary: "Revoke an API key",
    description: "All routers reject the key within a second.",
    parameters: { id: key.id },
    reply: { id: key.id },
    errors: [routerErrors.keyNotFound],
  },
} satisfies Partial<Texts>;
