import { tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import { jsonError, type AnswerHeaders, type JsonAnswer } from "../http/response.js";
import type { RatePort } from "../tenant/tenant-rates.js";
import { rateHeaders, retryAfterSeconds } from "./rate-headers.js";

export interface AdmissionPort {
  /** The answer of `work`, once the tenant's quotas admit it; else 429, and nothing is begun. Where there is a rate, the answer says what is left of it. */
  admit(tenant: TenantName, work: () => Promise<JsonAnswer>): Promise<JsonAnswer>;
}

export class Admission implements AdmissionPort {
  constructor(private readonly rates: RatePort) {}

  async admit(tenant: TenantName, work: () => Promise<JsonAnswer>): Promise<JsonAnswer> {
    const asked = this.rates.admit(tenant);
    if (asked === undefined) return await work();
    const verdict = await asked;
    const headers = rateHeaders(verdict);
    if (!verdict.admitted) return refused(verdict.retryMs, headers);
    const answer = await work();
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
}

function refused(waitMs: number, headers: AnswerHeaders): JsonAnswer {
  const { status, message } = tooManyRequests();
  return jsonError(status, message, { ...headers, "Retry-After": String(retryAfterSeconds(waitMs)) });
}
