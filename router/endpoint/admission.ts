import { tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { TenantPlaces } from "../../shared/tenant/tenant-places.js";
import { jsonError, type ResponseHeaders, type JsonResponse } from "../http/response.js";
import type { QuotaMetrics } from "../tenant/records.js";
import type { RatePort } from "../tenant/tenant-rates.js";
import { rateHeaders, retryAfterSeconds } from "./rate-headers.js";

export interface AdmissionPort {
  /**
   * Runs `work` if the tenant's quotas admit it, otherwise resolves with 429 and starts nothing. If the tenant has a rate, the response
   * has its headers.
   */
  admit(tenant: TenantName, work: () => Promise<JsonResponse>): Promise<JsonResponse>;
  /**
   * Admits work that is done in this turn and returns the rate headers for its response. Returns `undefined` without any effect if that
   * needs a wait.
   */
  admitAtHand(tenant: TenantName): ResponseHeaders | undefined;
}

/** Checks the rate of calls whose concurrency is limited elsewhere. */
export interface RateAdmission {
  /** Resolves with 429 if the tenant's rate does not admit the call, otherwise with `undefined`. */
  refusal(tenant: TenantName): Promise<JsonResponse | undefined>;
}

const noHeaders: ResponseHeaders = {};
/** Within this time another process gives back places of the tenant that it does not need. */
const placeWaitMs = 250;

export class Admission implements AdmissionPort, RateAdmission {
  constructor(
    private readonly rates: RatePort,
    private readonly inFlight: Pick<TenantPlaces, "tryEnter" | "enter">,
    private readonly metrics: QuotaMetrics,
  ) {}

  async admit(tenant: TenantName, work: () => Promise<JsonResponse>): Promise<JsonResponse> {
    const decision = this.rates.admit(tenant);
    if (decision === undefined) return await this.run(tenant, work);
    const verdict = await decision;
    const headers = rateHeaders(verdict);
    if (!verdict.admitted) return refused(verdict.retryMs, headers);
    const response = await this.run(tenant, work);
    // Field by field: an object that grows after a copy costs microseconds (bench/findings.md).
    for (const name in response.headers) headers[name] = response.headers[name] ?? "";
    return { ...response, headers };
  }

  async refusal(tenant: TenantName): Promise<JsonResponse | undefined> {
    const verdict = await this.rates.admit(tenant);
    return verdict === undefined || verdict.admitted ? undefined : refused(verdict.retryMs, rateHeaders(verdict));
  }

  admitAtHand(tenant: TenantName): ResponseHeaders | undefined {
    const release = this.inFlight.tryEnter(tenant);
    if (release === undefined) return undefined;
    const verdict = this.rates.admitAtHand(tenant);
    release();
    return verdict === "free" ? noHeaders : verdict && rateHeaders(verdict);
  }

  private async run(tenant: TenantName, work: () => Promise<JsonResponse>): Promise<JsonResponse> {
    const release = this.inFlight.tryEnter(tenant) ?? (await this.inFlight.enter(tenant, { waitMs: placeWaitMs }));
    if (release === undefined) {
      this.metrics.quotaReached("inFlight");
      return refused(0, {});
    }
    try {
      return await work();
    } finally {
      release();
    }
  }
}

function refused(waitMs: number, headers: ResponseHeaders): JsonResponse {
  const { status, message } = tooManyRequests();
  return jsonError(status, message, { ...headers, "Retry-After": String(retryAfterSeconds(waitMs)) });
}
