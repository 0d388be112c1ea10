import { ApiError } from "../../shared/contract/api-error.js";
import { isEmpty, mustBeInteger, mustBeObject, shouldNotBeEmpty } from "../../shared/contract/rules.js";
import { isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import { noQuotas, type Quotas } from "../tenant/records.js";
import { faultsOfUnknown } from "./admin-input.js";

const quotaMax = 1_000_000_000;

/** `POST /admin/tenants`. */
export function parseNewTenant(body: object): { name: TenantName; quotas: Partial<Quotas> } {
  const { name, quotas }: { name?: unknown; quotas?: unknown } = body;
  const faults = [...faultsOfUnknown(body, ["name", "quotas"]), ...faultsOfTenant("name", name), ...faultsOfQuotas(quotas)];
  if (faults.length > 0 || !isTenantName(name)) throw new ApiError(400, faults.join("\n"));
  return { name, quotas: quotasIn(quotas) };
}

/** `PATCH /admin/tenants/{name}`: the quotas that it names; the others stay. */
export function parseTenantChange(body: object): Partial<Quotas> {
  const { quotas }: { quotas?: unknown } = body;
  const faults = [...faultsOfUnknown(body, ["quotas"]), ...faultsOfQuotas(quotas)];
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
  return quotasIn(quotas);
}

export function faultsOfTenant(field: string, value: unknown): string[] {
  if (isEmpty(value)) return [shouldNotBeEmpty(field)];
  return isTenantName(value) ? [] : [`${field} must be 1 to 32 characters of a-z, 0-9 and -`];
}

function faultsOfQuotas(quotas: unknown): string[] {
  if (quotas === undefined || quotas === null) return [];
  if (typeof quotas !== "object" || Array.isArray(quotas)) return [mustBeObject("quotas")];
  const wrong = quotaNames.filter((name) => !isQuota(valueIn(quotas, name)));
  return [...faultsOfUnknown(quotas, quotaNames, "quotas."), ...wrong.map((name) => mustBeInteger(`quotas.${name}`, 0, quotaMax))];
}

function quotasIn(quotas: unknown): Partial<Quotas> {
  if (typeof quotas !== "object" || quotas === null) return {};
  return Object.fromEntries(quotaNames.flatMap((name) => (Object.hasOwn(quotas, name) ? [[name, valueIn(quotas, name)]] : [])));
}

const quotaNames = Object.keys(noQuotas);

function valueIn(quotas: object, name: string): unknown {
  return Object.entries(quotas).find(([known]) => known === name)?.[1];
}

/** `null` is no limit; absent, nothing is said. */
function isQuota(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= quotaMax);
}
