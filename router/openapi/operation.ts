import { errorResponses } from "./error-responses.js";
import type { AnyCallText } from "./call-text.js";
import type { ResponseObject, Example, MediaType, Operation, Parameter, Reference } from "./document-types.js";
import type { ErrorText } from "./errors/error-text.js";
import { routerErrors } from "./errors/router-errors.js";
import { sharedErrors } from "./errors/shared-errors.js";
import { jsonHeaders, packedHeaders } from "./response-headers.js";
import { nameIn, type JsonSchema, type Schemas } from "./json-schema.js";

/** One call of an API, as input for the document. */
export interface Call {
  readonly id: string;
  /** The route with its prefix, in the form of the route tables. */
  readonly route: string;
  readonly text: AnyCallText;
  readonly security: Operation["security"];
  readonly body: JsonSchema | undefined;
  /** An object schema with one property for each parameter. */
  readonly parameters: JsonSchema | undefined;
  /** Errors of this kind of call. */
  readonly errors: readonly ErrorText[];
  readonly success: ResponseObject;
  readonly headerParameters: readonly Reference[];
  /** Extra headers of this call's errors. */
  readonly errorHeaders?: ResponseObject["headers"];
  /** Errors that the call's rules give for an empty request. */
  readonly ruleErrors: { readonly status: number; readonly message: string }[];
}

/** Returns a call's operation with its path and method. `components` resolve the schema of its body. */
export function operation(call: Call, components: Schemas): { path: string; method: string; operation: Operation } {
  const { id, route, text, security, body, parameters, errors, success, headerParameters, errorHeaders, ruleErrors } = call;
  const [method = "", path = ""] = route.split(" ");
  const pathNames = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
  const listed = [
    ...errors,
    ...(pathNames.length > 0 ? [routerErrors.invalidEncoding] : []),
    ...(body === undefined ? [] : ofBodies),
    ...(text.errors ?? []),
    ...everywhere,
  ];
  return {
    path: templateOf(path),
    method: method.toLowerCase(),
    operation: {
      operationId: id,
      tags: [text.tag],
      summary: text.summary,
      description: text.description ?? `${text.summary}.`,
      ...(security === undefined ? {} : { security }),
      parameters: [...headerParameters, ...parametersOf(parameters, pathNames, text)],
      ...(body === undefined
        ? {}
        : { requestBody: { required: isBodyNeeded(call, components), content: { "application/json": requestOf(body, text) } } }),
      responses: { [text.status ?? 200]: success, ...errorResponses(listed, ruleErrors, errorHeaders) },
    },
  };
}

/** `:name` of a route is `{name}` in the document. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

/** Returns the response for a success with JSON. `isPacked`: may be compressed. `more`: extra headers. */
export function jsonResponse(
  schema: JsonSchema,
  { summary, reply }: AnyCallText,
  isPacked: boolean,
  more: ResponseObject["headers"] = {},
): ResponseObject {
  return {
    description: "Success.",
    headers: { ...jsonHeaders, ...(isPacked ? packedHeaders : {}), ...more },
    content: { "application/json": { schema, examples: { done: { summary, value: reply } } } },
  };
}

const ofBodies = [
  routerErrors.wrongContentType,
  routerErrors.wrongContentEncoding,
  routerErrors.bodyTooDeep,
  routerErrors.invalidJson,
  routerErrors.bodyTooLate,
  routerErrors.bodyTooLarge,
  routerErrors.commandTooLarge,
];
const everywhere = [sharedErrors.tooManyRequests, sharedErrors.internal, sharedErrors.serverBusy, sharedErrors.storageUnavailable];

/** Returns true when a request without a body is rejected: a field is required, or the call's rules reject an empty body. */
function isBodyNeeded({ body = {}, ruleErrors }: Call, components: Schemas): boolean {
  const { required = [], oneOf = [] } = components[nameIn(body) ?? ""] ?? body;
  return required.length > 0 || oneOf.length > 0 || ruleErrors.length > 0;
}

function requestOf(schema: JsonSchema, { requests = {} }: AnyCallText): MediaType {
  const examples = Object.entries(requests).map(([name, { summary, body }]): [string, Example] => [name, { summary, value: body }]);
  return { schema, examples: Object.fromEntries(examples) };
}

function parametersOf(object: JsonSchema | undefined, pathNames: readonly string[], text: AnyCallText): Parameter[] {
  const { properties = {}, required = [] } = object ?? {};
  return Object.entries(properties).map(([name, { description = "", ...schema }]): Parameter => {
    const inPath = pathNames.includes(name);
    const example = text.parameters?.[name];
    return {
      name,
      in: inPath ? "path" : "query",
      required: inPath || required.includes(name),
      description,
      schema,
      ...(example === undefined ? {} : { example }),
    };
  });
}
