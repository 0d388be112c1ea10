import { tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { TenantPlaces } from "../../shared/tenant/tenant-places.js";
import { jsonError, type AnswerHeaders, type JsonAnswer } from "../http/response.js";
import type { QuotaMetrics } from "../tenant/records.js";
import type { RatePort } from "../tenant/tenant-rates.js";
import { rateHeaders, retryAfterSeconds } from "./rate-headers.js";

export interface AdmissionPort {
  /** The answer of `work`, once the tenant's quotas admit it; else 429, and nothing is begun. Where there is a rate, the answer says what is left of it. */
  admit(tenant: TenantName, work: () => Promise<JsonAnswer>): Promise<JsonAnswer>;
  /** For work that is done in this turn: what its answer says of the tenant's rate; `undefined`, and nothing has happened, where that cannot be told without a wait. */
  admitAtHand(tenant: TenantName): AnswerHeaders | undefined;
}

/** For calls whose places are counted elsewhere. */
export interface RateAdmission {
  /** The 429 of a call that the tenant's rate does not admit; `undefined` where it does. */
  refusal(tenant: TenantName): Promise<JsonAnswer | undefined>;
}

const noHeaders: AnswerHeaders = {};
/** In this time another process gives back what it does not need of a tenant's places. */
const placeWaitMs = 250;

export class Admission implements AdmissionPort, RateAdmission {
  constructor(
    private readonly rates: RatePort,
    private readonly inFlight: Pick<TenantPlaces, "tryEnter" | "enter">,
    private readonly metrics: QuotaMetrics,
  ) {}

  async admit(tenant: TenantName, work: () => Promise<JsonAnswer>): Promise<JsonAnswer> {
    const asked = this.rates.admit(tenant);
    if (asked === undefined) return await this.run(tenant, work);
    const verdict = await asked;
    const headers = rateHeaders(verdict);
    if (!verdict.admitted) return refused(verdict.retryMs, headers);
    const answer = await this.run(tenant, work);
    // One by one: an object that is copied and then grows costs microseconds (bench/findings.md).
    for (const name in answer.headers) headers[name] = answer.headers[name] ?? "";
    return { ...answer, headers };
  }

  async refusal(tenant: TenantName): Promise<JsonAnswer | undefined> {
    const verdict = await this.rates.admit(tenant);
    return verdict === undefined || verdict.admitted ? undefined : refused(verdict.retryMs, rateHeaders(verdict));
  }

  admitAtHand(tenant: TenantName): AnswerHeaders | undefined {
    const release = this.inFlight.tryEnter(tenant);
    if (release === undefined) return undefined;
    const verdict = this.rates.admitAtHand(tenant);
    release();
    return verdict === "free" ? noHeaders : verdict && rateHeaders(verdict);
  }

  private async run(tenant: TenantName, work: () => Promise<JsonAnswer>): Promise<JsonAnswer> {
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

function refused(waitMs: number, headers: AnswerHeaders): JsonAnswer {
  const { status, message } = tooManyRequests();
  return jsonError(status, message, { ...headers, "Retry-After": String(retryAfterSeconds(waitMs)) });
}
