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
  pace: { sendsPerMinute: 60, newContactsPerHour: null },
  proxy: "socks5://***@proxy.example.com:1080",
} satisfies Replies["get-tenant"];
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
    summary: "Sign in with the one-time code of a start",
    description:
      "The code of the link that `npm start` prints becomes an admin key that lasts 12 hours. A wrong code is counted like a wrong key.",
    status: 201,
    requests: { code: { summary: "A code", body: { code: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCy" } } },
    reply: { key: "tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g", expires: "2026-11-22T22:00:00.000Z" },
    errors: [routerErrors.invalidSignInCode, routerErrors.noMoreKeys],
  },
  "get-self": {
    tag: "Operators: tenants and keys",
    summary: "Whom this key stands for",
    description: "And what it may ask for, so that nobody has to keep a table of roles of his own.",
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
    reply: { docs: [tenant], next: "" },
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
      pace: { summary: "With a pace of its own", body: { name: "acme-shop", pace: { sendsPerMinute: 60 } } },
      proxy: { summary: "Behind a proxy", body: { name: "acme-east", proxy: "socks5://acme:c0rrect-h0rse@proxy.example.com:1080" } },
    },
    reply: tenant,
    errors: [routerErrors.burstAlone, routerErrors.tenantExists, routerErrors.noMoreTenants],
  },
  "get-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Look at a tenant",
    parameters: { name: "acme" },
    reply: tenant,
    errors: [routerErrors.tenantNotFound],
  },
  "change-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Change a tenant's quotas, its pace and its proxy",
    description:
      "A quota below what is used takes nothing away: it applies to what comes. Another pace holds for messages that wait as well: they go sooner, or later, and one that would wait for too long reads 429. With another proxy the tenant's sessions connect anew, as many at once as a shard connects; what was given is never shown whole again.",
    parameters: { name: "acme" },
    requests: {
      quotas: { summary: "Another quota", body: { quotas: { sessions: 200, messagesPerDay: null } } },
      pace: { summary: "Another pace", body: { pace: { sendsPerMinute: null, newContactsPerHour: 5 } } },
      proxy: { summary: "Another proxy", body: { proxy: "http://acme:c0rrect-h0rse@proxy.example.com:3128" } },
    },
    reply: { ...tenant, quotas: { ...tenant.quotas, sessions: 200, messagesPerDay: null } },
    errors: [routerErrors.burstAlone, routerErrors.tenantNotFound],
  },
  "delete-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Delete a tenant",
    description: "With its keys, and only when it has no sessions.",
    parameters: { name: "acme" },
    reply: { name: "acme" },
    errors: [routerErrors.tenantNotFound, routerErrors.defaultTenantStays, routerErrors.tenantHasSessions],
  },
  "list-keys": {
    tag: "Operators: tenants and keys",
    summary: "List API keys",
    description: "In the order in which they were made; never the keys themselves.",
    parameters: { limit: 100, after: "", tenant: "acme" },
    reply: { docs: [key], next: "" },
    errors: ofPages,
  },
  "create-key": {
    tag: "Operators: tenants and keys",
    summary: "Create an API key",
    description:
      "The only answer that ever shows the key. Every router takes it at once. A `proxy` is what the sessions that it creates go through, in the place of their tenant's; one that `POST /session` names comes before it.",
    status: 201,
    requests: {
      tenant: { summary: "For a tenant", body: { tenant: "acme", role: "tenant", label: "shop backend" } },
      admin: { summary: "For an operator, until a day", body: { role: "admin", expires: "2030-01-01T00:00:00Z" } },
      proxy: {
        summary: "Whose sessions go through a proxy",
        body: { tenant: "acme", role: "create", label: "east", proxy: "socks5://acme:c0rrect-h0rse@proxy.example.com:1080" },
      },
    },
    reply: { ...key, key: "tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g" },
    errors: [routerErrors.tenantNotFound, routerErrors.noMoreKeys],
  },
  "change-key": {
    tag: "Operators: tenants and keys",
    summary: "Change the proxy of an API key",
    description:
      "Holds for the sessions that it creates from then on, at every router within a second. Those that it created before keep what they were given, as they do when it is revoked: `PUT /admin/sessions/{id}/proxy` changes that. What was given is never shown whole again.",
    parameters: { id: key.id },
    requests: {
      proxy: { summary: "Another proxy", body: { proxy: "http://acme:c0rrect-h0rse@proxy.example.com:3128" } },
      none: { summary: "None", body: { proxy: null } },
    },
    reply: { ...key, proxy: "http://***@proxy.example.com:3128" },
    errors: [routerErrors.keyNotFound],
  },
  "delete-key": {
    tag: "Operators: tenants and keys",
    summary: "Revoke an API key",
    description: "No router takes it a second later.",
    parameters: { id: key.id },
    reply: { id: key.id },
    errors: [routerErrors.keyNotFound],
  },
} satisfies Partial<Texts>;
