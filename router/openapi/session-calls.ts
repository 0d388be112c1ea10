import { factsOf, type CommandName } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";
import { ApiError } from "../../shared/contract/api-error.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import type { AnyCallText } from "./call-text.js";
import { errorTexts } from "./error-responses.js";
import type { ErrorText } from "./errors/error-text.js";
import { routerErrors } from "./errors/router-errors.js";
import { sharedErrors } from "./errors/shared-errors.js";
import { rateHeaders, replayedHeader } from "./response-headers.js";
import { parameter, tracing } from "./request-headers.js";
import type { Schemas } from "./json-schema.js";
import { jsonResponse, type Call } from "./operation.js";
import type { Shapes } from "./shapes.js";

/** The part of a platform's table row that the document needs. */
export interface TableRow {
  readonly route: string;
  readonly parse?: (http: HttpInput) => unknown;
  readonly keyed?: boolean;
  readonly compressible?: boolean;
}

export interface SessionApi<P extends Platform> {
  readonly platform: P;
  /** Prefix of every path; may be empty. */
  readonly prefix: string;
  readonly rows: Readonly<Record<string, TableRow>>;
  readonly texts: Readonly<Record<string, AnyCallText>>;
  readonly shapes: Shapes;
}

/** Returns the calls of one platform's sessions. What a call shares with others comes from the facts of its command. */
export function sessionCalls<P extends Platform>(api: SessionApi<P>, isCommand: (name: string) => name is CommandName<P>): Call[] {
  return Object.entries(api.rows).map(([name, row]) => {
    const text = api.texts[name];
    if (text === undefined) throw new Error(`no text for ${api.platform} ${name}`);
    const { bodies, parameters, replies } = api.shapes;
    const [method = "", path = ""] = row.route.split(" ");
    const facts = isCommand(name) ? factsOf(api.platform, name) : undefined;
    const creates = facts?.session === "creates";
    const keyed = row.keyed === true;
    const replayed = keyed ? replayedHeader : {};
    return {
      id: idOf(api.platform, name),
      route: `${method} ${api.prefix}${path}`,
      text,
      security: creates ? byKey : text.byPasskeyToken === true ? byPasskeyToken : bySession,
      body: bodies[name],
      parameters: parameters[name],
      errors: [
        ...(creates ? ofCreation : ofSessions),
        ...(facts === undefined || creates ? [] : [sharedErrors.sessionNotActive, textOf(facts.late())]),
        ...(facts?.needsConnection === true ? [sharedErrors.sessionNotConnected] : []),
        ...(keyed ? ofKeys : []),
      ],
      success: jsonResponse(replies[name] ?? {}, text, row.compressible === true, { ...rateHeaders, ...replayed }),
      headerParameters: [...(keyed ? [parameter("IdempotencyKey")] : []), ...tracing],
      errorHeaders: replayed,
      ruleErrors: ruleErrorsOf(row, bodies, parameters, name),
    };
  });
}

/** Returns the operation id: `send-message` of WhatsApp becomes `whatsappSendMessage`. */
export function idOf(api: string, name: string): string {
  return api + name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
}

const bySession = [
  { sessionId: [], sessionSecret: [] },
  { sessionId: [], apiKey: [] },
];
const byPasskeyToken = [...bySession, { sessionId: [], passkeyToken: [] }];
const byKey = [{ apiKey: [] }];

const ofSessions = [sharedErrors.invalidHeader, routerErrors.invalidApiKey, routerErrors.roleRefused, sharedErrors.sessionNotFound];
const ofCreation = [
  routerErrors.invalidApiKey,
  routerErrors.roleRefused,
  routerErrors.creationFromElsewhere,
  routerErrors.sessionQuotaReached,
];
const ofKeys = [
  sharedErrors.invalidIdempotencyKey,
  sharedErrors.repeatedIdempotencyKey,
  sharedErrors.idempotencyKeyReused,
  sharedErrors.tooManyIdempotencyKeys,
];

function textOf({ status, message }: ApiError): ErrorText {
  const text = errorTexts.find(({ error }) => error.status === status && error.message === message);
  if (text === undefined) throw new Error(`no text for the error ${message}`);
  return text;
}

/** Returns the errors that the endpoint's own rules give for an empty request. */
function ruleErrorsOf({ route, parse }: TableRow, bodies: Schemas, parameters: Schemas, name: string): Call["ruleErrors"] {
  if (parse === undefined || (bodies[name] === undefined && parameters[name] === undefined)) return [];
  try {
    // Path parameters are always present.
    const params = Object.fromEntries([...route.matchAll(/:(\w+)/g)].map(([, inPath = ""]) => [inPath, ""]));
    parse({ params, query: {}, body: {} });
    return [];
  } catch (error) {
    if (error instanceof ApiError) return [{ status: error.status, message: error.message }];
    throw error;
  }
}
