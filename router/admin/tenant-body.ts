import type { tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { faultsOfProxy, proxyIn } from "../api/proxy.js";
import { isEmpty, mustBeInteger, mustBeObject, mustBeTenantName, shouldNotBeEmpty } from "../../shared/contract/rules.js";
import { isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import { paceMost, warmUpMost, type OwnPace, type PaceName, type WarmUp } from "../../shared/tenant/tenant-pace.js";
import { deploymentPace, type Pace, type Quotas } from "../tenant/records.js";
import { faultsOfUnknown } from "./admin-input.js";
import { burstAlone } from "../http/errors.js";

/** A new tenant. */
export interface NewTenantForm extends TenantChangeForm {
  /** 1 to 32 characters of `a-z`, `0-9` and `-`. */
  name: string & tags.JsonSchemaPlugin<{ pattern: "^[a-z0-9-]{1,32}$" }>;
}

/** Changes of a tenant. */
export interface TenantChangeForm {
  /** Limits of the tenant. Absent fields keep their values. `null` removes a limit. */
  quotas?: Partial<Quotas>;
  /**
   * Limits for sending messages, per session. Absent fields keep their values. `null` restores the default of the deployment, and removes
   * the warm-up. Changes apply within a second, also to waiting messages.
   */
  pace?: Partial<Pace> | null;
  /**
   * Proxy for connections of the tenant's sessions: `socks5://[user:password@]host:port`, or `http://…`. `null`: no proxy. After a
   * change, sessions without their own proxy reconnect.
   */
  proxy?: string | null;
}

/** Inclusive limits. */
type Ranges<Name extends string> = Readonly<Record<Name, readonly [from: number, to: number]>>;

const quotaRanges: Ranges<keyof Quotas> = {
  sessions: [0, 1_000_000_000],
  requestsPerSecond: [1, 1_000_000],
  burst: [1, 1_000_000],
  inFlight: [1, 1_000_000],
  messagesPerDay: [0, 1_000_000_000],
  mediaBytesPerSecond: [1_024, 1_000_000_000_000],
  downloads: [1, 1_000_000],
  webhooks: [1, 1_000_000],
};
const paceRanges: Ranges<PaceName> = {
  sendsPerMinute: [0, paceMost.sendsPerMinute],
  newContactsPerHour: [0, paceMost.newContactsPerHour],
};
const warmUpRanges: Ranges<keyof WarmUp> = { days: [1, warmUpMost.days], from: [1, warmUpMost.from] };

/** Parsed body of a tenant. */
interface TenantForm {
  readonly quotas: Partial<Quotas>;
  readonly pace: OwnPace;
  /** Empty for none. */
  readonly proxy: string;
}

/** Parses `POST /admin/tenants`. */
export function parseNewTenant(body: object): TenantForm & { readonly name: TenantName } {
  const { name, quotas, pace, proxy }: { name?: unknown; quotas?: unknown; pace?: unknown; proxy?: unknown } = body;
  const faults = [
    ...faultsOfUnknown(body, ["name", "quotas", "pace", "proxy"]),
    ...faultsOfTenant("name", name),
    ...faultsOfNumbers("quotas", quotas, quotaRanges),
    ...faultsOfPace(pace),
    ...faultsOfProxy(proxy),
  ];
  if (faults.length > 0 || !isTenantName(name)) throw new ApiError(400, faults.join("\n"));
  return { name, quotas: numbersIn(quotas, quotaRanges), pace: paceIn(pace), proxy: proxyIn(proxy) };
}

/** Parses `PATCH /admin/tenants/{name}`. Absent fields stay unchanged. */
export function parseTenantChange(body: object): Omit<TenantForm, "proxy"> & { readonly proxy: string | undefined } {
  const { quotas, pace, proxy }: { quotas?: unknown; pace?: unknown; proxy?: unknown } = body;
  const faults = [
    ...faultsOfUnknown(body, ["quotas", "pace", "proxy"]),
    ...faultsOfNumbers("quotas", quotas, quotaRanges),
    ...faultsOfPace(pace),
    ...faultsOfProxy(proxy),
  ];
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
  return { quotas: numbersIn(quotas, quotaRanges), pace: paceIn(pace), proxy: proxy === undefined ? undefined : proxyIn(proxy) };
}

/** Rejects a `burst` without `requestsPerSecond`, which would have no effect. */
export function requireWhole({ requestsPerSecond = null, burst = null }: Partial<Quotas>): void {
  if (burst !== null && requestsPerSecond === null) throw burstAlone();
}

export function faultsOfTenant(field: string, value: unknown): string[] {
  if (isEmpty(value)) return [shouldNotBeEmpty(field)];
  return isTenantName(value) ? [] : [mustBeTenantName(field)];
}

function faultsOfNumbers(field: string, given: unknown, ranges: Ranges<string>, others: readonly string[] = []): string[] {
  if (given === undefined || given === null) return [];
  if (typeof given !== "object" || Array.isArray(given)) return [mustBeObject(field)];
  const wrong = Object.entries(ranges).filter(([name, range]) => !isWithin(valueIn(given, name), range));
  return [
    ...faultsOfUnknown(given, [...Object.keys(ranges), ...others], `${field}.`),
    ...wrong.map(([name, [from, to]]) => mustBeInteger(`${field}.${name}`, from, to)),
  ];
}

function numbersIn<Name extends string>(given: unknown, ranges: Ranges<Name>): Partial<Record<Name, number | null>> {
  if (typeof given !== "object" || given === null) return {};
  const named = Object.keys(ranges).filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(named.map((name) => [name, valueIn(given, name)])) as Partial<Record<Name, number | null>>;
}

/** `null` in place of the object restores the deployment's defaults. */
function paceIn(given: unknown): OwnPace {
  if (given === null) return deploymentPace;
  const warmUp = typeof given === "object" ? valueIn(given, "warmUp") : undefined;
  return { ...numbersIn(given, paceRanges), ...(warmUp === undefined ? {} : { warmUp: warmUpIn(warmUp) }) };
}

/** The faults of a warm-up have been ruled out, so both numbers are there. */
function warmUpIn(given: unknown): WarmUp | null {
  const { days, from } = numbersIn(given, warmUpRanges);
  return days == null || from == null ? null : { days, from };
}

function faultsOfPace(given: unknown): string[] {
  const warmUp = typeof given === "object" && given !== null ? valueIn(given, "warmUp") : undefined;
  return [...faultsOfNumbers("pace", given, paceRanges, ["warmUp"]), ...faultsOfWarmUp(warmUp)];
}

/** A warm-up is replaced as a whole, so it needs both numbers. */
function faultsOfWarmUp(given: unknown): string[] {
  const field = "pace.warmUp";
  if (given === undefined || given === null) return [];
  if (typeof given !== "object" || Array.isArray(given)) return [mustBeObject(field)];
  const wrong = Object.entries(warmUpRanges).filter(
    ([name, range]) => valueIn(given, name) == null || !isWithin(valueIn(given, name), range),
  );
  return [
    ...faultsOfUnknown(given, Object.keys(warmUpRanges), `${field}.`),
    ...wrong.map(([name, [from, to]]) => mustBeInteger(`${field}.${name}`, from, to)),
  ];
}

function valueIn(given: object, name: string): unknown {
  return Object.entries(given).find(([key]) => key === name)?.[1];
}

/** `null` removes the value. An absent field changes nothing. */
function isWithin(value: unknown, [from, to]: readonly [number, number]): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "number" && Number.isInteger(value) && value >= from && value <= to;
}
