import type { tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { faultsOfProxy, proxyIn } from "../session/proxy.js";
import { isEmpty, mustBeInteger, mustBeObject, mustBeTenantName, shouldNotBeEmpty } from "../../shared/contract/rules.js";
import { isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import type { Quotas } from "../tenant/records.js";
import { faultsOfUnknown } from "./admin-input.js";
import { burstAlone } from "../errors.js";

/** `POST /admin/tenants`. */
export interface NewTenantForm extends TenantChangeForm {
  /** 1 to 32 characters of `a-z`, `0-9` and `-`. */
  name: string & tags.JsonSchemaPlugin<{ pattern: "^[a-z0-9-]{1,32}$" }>;
}

/** `PATCH /admin/tenants/{name}`. */
export interface TenantChangeForm {
  /** What it may have at most. A quota that is not named stays as it is; `null` takes a limit away. */
  quotas?: Partial<Quotas>;
  /**
   * What the connections of its sessions to their platforms go through: `socks5://[user:password@]host:port`, or `http://…`. `null`: nothing. A change holds at once for all of its sessions that
   * have no proxy of their own: they connect anew.
   */
  proxy?: string | null;
}

/** From and to. */
const ranges: Readonly<Record<keyof Quotas, readonly [from: number, to: number]>> = {
  sessions: [0, 1_000_000_000],
  requestsPerSecond: [1, 1_000_000],
  burst: [1, 1_000_000],
  inFlight: [1, 1_000_000],
  messagesPerDay: [0, 1_000_000_000],
  mediaBytesPerSecond: [1_024, 1_000_000_000_000],
  downloads: [1, 1_000_000],
  webhooks: [1, 1_000_000],
};

/** `POST /admin/tenants`. */
export function parseNewTenant(body: object): { name: TenantName; quotas: Partial<Quotas>; proxy: string } {
  const { name, quotas, proxy }: { name?: unknown; quotas?: unknown; proxy?: unknown } = body;
  const faults = [
    ...faultsOfUnknown(body, ["name", "quotas", "proxy"]),
    ...faultsOfTenant("name", name),
    ...faultsOfQuotas(quotas),
    ...faultsOfProxy(proxy),
  ];
  if (faults.length > 0 || !isTenantName(name)) throw new ApiError(400, faults.join("\n"));
  return { name, quotas: quotasIn(quotas), proxy: proxyIn(proxy) };
}

/** `PATCH /admin/tenants/{name}`: what it names; the rest stays. */
export function parseTenantChange(body: object): { quotas: Partial<Quotas>; proxy: string | undefined } {
  const { quotas, proxy }: { quotas?: unknown; proxy?: unknown } = body;
  const faults = [...faultsOfUnknown(body, ["quotas", "proxy"]), ...faultsOfQuotas(quotas), ...faultsOfProxy(proxy)];
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
  return { quotas: quotasIn(quotas), proxy: proxy === undefined ? undefined : proxyIn(proxy) };
}

/** What a tenant's quotas come to: one that would mean nothing is not taken. */
export function requireWhole({ requestsPerSecond = null, burst = null }: Partial<Quotas>): void {
  if (burst !== null && requestsPerSecond === null) throw burstAlone();
}

export function faultsOfTenant(field: string, value: unknown): string[] {
  if (isEmpty(value)) return [shouldNotBeEmpty(field)];
  return isTenantName(value) ? [] : [mustBeTenantName(field)];
}

function faultsOfQuotas(quotas: unknown): string[] {
  if (quotas === undefined || quotas === null) return [];
  if (typeof quotas !== "object" || Array.isArray(quotas)) return [mustBeObject("quotas")];
  const wrong = Object.entries(ranges).filter(([name, range]) => !isQuota(valueIn(quotas, name), range));
  return [
    ...faultsOfUnknown(quotas, quotaNames, "quotas."),
    ...wrong.map(([name, [from, to]]) => mustBeInteger(`quotas.${name}`, from, to)),
  ];
}

function quotasIn(quotas: unknown): Partial<Quotas> {
  if (typeof quotas !== "object" || quotas === null) return {};
  return Object.fromEntries(quotaNames.flatMap((name) => (Object.hasOwn(quotas, name) ? [[name, valueIn(quotas, name)]] : [])));
}

const quotaNames = Object.keys(ranges);

function valueIn(quotas: object, name: string): unknown {
  return Object.entries(quotas).find(([known]) => known === name)?.[1];
}

/** `null` is no limit; absent, nothing is said. */
function isQuota(value: unknown, [from, to]: readonly [number, number]): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "number" && Number.isInteger(value) && value >= from && value <= to;
}
