import { tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import { jsonError, type JsonAnswer } from "../http/response.js";
import type { RatePort } from "../tenant/request-rates.js";
import { rateHeaders, retryAfterSeconds } from "./rate-headers.js";

/** The answer of `work`, once the tenant's rate admits it; else 429, and nothing is begun. Where there is a rate, the answer says what is left of it. */
export async function admit(rates: RatePort, tenant: TenantName, work: () => Promise<JsonAnswer>): Promise<JsonAnswer> {
  const asked = rates.admit(tenant);
  if (asked === undefined) return await work();
  const verdict = await asked;
  const headers = rateHeaders(verdict);
  if (!verdict.admitted) {
    const { status, message } = tooManyRequests();
    return jsonError(status, message, { ...headers, "Retry-After": String(retryAfterSeconds(verdict.retryMs)) });
  }
  const answer = await work();
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
