import { ApiError } from "../../shared/contract/api-error.js";
import { factsOf, type EndpointName, type Output } from "../../shared/contract/commands.js";
import type { Idempotency } from "../../shared/bus/envelope.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { Log } from "../../shared/log/logger.js";
import type { HttpHandler, Refusal } from "../http/handler.js";
import type { HttpRequest } from "../http/request.js";
import { json, jsonError, type ResponseHeaders, type WholeResponse } from "../http/response.js";
import type { CountedMessage, MessagePort } from "../tenant/message-days.js";
import type { CredentialGuard } from "../tenant/guard/credential-guard.js";
import { UnknownKey, WrongCredentials } from "../tenant/guard/wrong-credentials.js";
import type { KeyPort } from "../tenant/principal.js";
import type { AdmissionPort } from "./admission.js";
import type { ArrivalOrder } from "./arrival-order.js";
import { authenticate, requireActive, type Authenticated, type SessionPort } from "./authenticate.js";
import { identityOf, RoleRefused } from "./authorize.js";
import type { CallerHandler } from "./caller-handler.js";
import type { CommandPort, Endpoint, HttpInput } from "./endpoint.js";
import { readIdempotencyKey, replayedHeader } from "../sessions/idempotency/idempotency-key.js";
import { identify } from "../sessions/idempotency/request-identity.js";
import { carriesBody, toHttpInput } from "./http-input.js";
import type { InFlightLimit } from "./in-flight-limit.js";

export interface ServeParts {
  readonly sessions: SessionPort;
  readonly keys: KeyPort;
  readonly admission: AdmissionPort;
  readonly messages: MessagePort;
  /** Order of arrival for the sends of one platform. */
  readonly arrivals: ArrivalOrder;
  readonly commands: CommandPort;
  /** Limits commands in progress. */
  readonly inFlight: InFlightLimit;
  readonly ring: Pick<KeyRing, "macs">;
  /** Measures the time from arrival until all checks of a request have passed. */
  readonly checked: (ms: number) => void;
}

/**
 * Creates the handler of an endpoint that a shard serves. Order of checks: headers (400), session (404), quotas (429), body (400), active
 * (500). The shard checks the connection (500).
 */
export function serve<P extends Platform, C extends EndpointName<P>>(
  { sessions, keys, admission, messages, arrivals, commands, inFlight, ring, checked }: ServeParts,
  platform: P,
  command: C,
  endpoint: Pick<Endpoint<P, C>, "parse" | "reply" | "keyed" | "messages" | "callers">,
): CallerHandler<Authenticated> {
  const { isMessage, lane } = factsOf(platform, command);
  const handle: CallerHandler<Authenticated>["handle"] = async (request, signal, { session }, arrival) =>
    await admission.admit(session.tenant, async () => {
      const release = inFlight.take(session);
      try {
        const http = await toHttpInput(request);
        const input = endpoint.parse(http);
        await requireActive(sessions, session, signal);
        const key = endpoint.keyed === true ? readIdempotencyKey(request) : undefined;
        const identity =
          key === undefined
            ? undefined
            : identify(ring, { scope: session.id, key, endpoint: command, body: contentOf(http, request.method) });
        checked(performance.now() - request.arrivedAt);
        const callAs = async (identified: Idempotency): Promise<{ output: Output<P, C>; replayed: boolean }> =>
          await commands.callKeyed(platform, command, session.id, input, { idempotency: identified, signal, requestId: request.requestId });
        const call = async (): Promise<{ output: Output<P, C>; replayed: boolean }> =>
          identity === undefined
            ? {
                output: await commands.call(platform, command, session.id, input, { signal, requestId: request.requestId }),
                replayed: false,
              }
            : await callAs(identity);
        const message: CountedMessage<{ output: Output<P, C>; replayed: boolean }> = {
          count: endpoint.messages?.(input) ?? 1,
          send: async () => {
            await arrival?.turn();
            // From here on the command client keeps the order (`SendOrder`).
            const calling = call();
            arrival?.leave();
            return await calling;
          },
          replay: identity && (() => callAs({ ...identity, replayOnly: true })),
          isReplayed: (reply) => reply.replayed,
        };
        const { output, replayed } = await (isMessage ? messages.counted(session.tenant, message) : message.send());
        return json(200, endpoint.reply(output), replayed ? replayedHeader : {});
      } finally {
        release();
      }
    });
  const authenticateCaller = endpoint.callers?.authenticate ?? authenticate;
  return {
    authenticate: (request) => authenticateCaller(sessions, keys, platform, request),
    handle,
    ...(lane === "ordered" ? { arrive: (request) => arrivals.arrive(claimed(request), request.body()) } : {}),
  };
}

/**
 * Returns what a repeat must send again: the body, and if the path has parameters or the method has no body, also the path's parameters and
 * the query.
 */
function contentOf({ params, query, body }: HttpInput, method: string): unknown {
  return carriesBody.has(method) && Object.keys(params).length === 0 ? body : { params, query, body };
}

/** Groups requests by all their credentials, so that a stranger who knows only a session's id cannot delay its requests. */
function claimed({ headers }: Pick<HttpRequest, "headers">): string {
  return ["id", "session-id", "x-api-key"].map((name) => headers.get(name)?.join() ?? "").join("\n");
}

/** Judges wrong credentials. */
export type GuardPort = Pick<CredentialGuard, "judge" | "isSlowed">;

/** Parts that every route needs to reject callers. */
export interface CatchParts {
  readonly keys: Pick<KeyPort, "learn">;
  readonly guard: GuardPort;
  readonly log: Log;
}

/** Turns an `ApiError` into its response. Rejects with any other error, which the exchange logs and turns into a 500. */
export function catching<Caller>(
  { authenticate, handle, arrive }: CallerHandler<Caller>,
  route: string,
  { keys, guard, log }: CatchParts,
): HttpHandler {
  const callerOf = async (request: HttpRequest): Promise<Caller> => {
    try {
      return await authenticate(request);
    } catch (error) {
      if (!(error instanceof UnknownKey) || guard.isSlowed(request)) throw error;
      await keys.learn();
      return await authenticate(request);
    }
  };
  return async (request, signal) => {
    const arrival = arrive?.(request);
    try {
      return await handle(request, signal, await callerOf(request), arrival);
    } catch (error) {
      if (error instanceof RoleRefused) request.identified({ ...identityOf(error.principal), refused: true });
      if (error instanceof WrongCredentials) return errorResponse(guard.judge(error, request));
      if (error instanceof ApiError) {
        if (error.status >= 500) log.debug({ err: error, route, requestId: request.requestId }, "request error details");
        return errorResponse(error);
      }
      throw error;
    } finally {
      arrival?.leave();
    }
  };
}

/** Throws if the head alone shows that the caller is not allowed. */
export type HeadCheck = (request: Pick<HttpRequest, "headers" | "address">) => unknown;

/** Rejects by the head alone, before any other work for the request. */
export function refusing(check: HeadCheck, { guard }: Pick<CatchParts, "guard">): Refusal {
  return ({ headers }, address, identified) => {
    try {
      check({ headers, address });
      return undefined;
    } catch (error) {
      // The handler checks the key again after it has refreshed the keys.
      if (error instanceof UnknownKey && !guard.isSlowed({ headers, address })) return undefined;
      if (error instanceof RoleRefused) identified({ ...identityOf(error.principal), refused: true });
      if (error instanceof WrongCredentials) return errorResponse(guard.judge(error, { headers, address }));
      if (error instanceof ApiError) return errorResponse(error);
      throw error;
    }
  };
}

export function errorResponse(error: ApiError): WholeResponse {
  return jsonError(error.status, error.message, headersOf(error));
}

/** One literal each: an object that grows after a copy costs microseconds (bench/findings.md). */
function headersOf({ retryAfterSeconds, replayed }: ApiError): ResponseHeaders | undefined {
  if (retryAfterSeconds === undefined) return replayed ? replayedHeader : undefined;
  const seconds = String(retryAfterSeconds);
  return replayed ? { "Retry-After": seconds, ...replayedHeader } : { "Retry-After": seconds };
}
