import { allowHeader, headersOfErrors, lengthHeader, preflightHeaders } from "./answer-headers.js";
import { errorAnswers } from "./error-answers.js";
import { routerErrors } from "./errors/router-errors.js";
import { sharedErrors } from "./errors/shared-errors.js";
import type { Answer, OpenApiDocument, Operation, Reference } from "./document-types.js";
import { parameter, tracing } from "./request-headers.js";
import type { TagName } from "./tags.js";

type Paths = OpenApiDocument["paths"];
const tag: TagName = "Other methods";
const response = (name: keyof typeof otherResponses): Reference => ({ $ref: `#/components/responses/${name}` });

/** Answers of `OPTIONS`, and of `HEAD` where it is refused. */
export const otherResponses = {
  Options: { description: "The methods of the path.", headers: { ...allowHeader, ...preflightHeaders } },
  NotOptions: errorAnswers([routerErrors.uncertainEnd, sharedErrors.invalidHeader])["400"] ?? { description: "" },
  HeadRefused: {
    description: "As to `GET`, without the body: `x-error-code` says what it would.",
    headers: { ...headersOfErrors(429), ...headersOfErrors(500), ...lengthHeader },
  },
} satisfies Readonly<Record<string, Answer>>;

/** The paths with the methods that each has beside its calls: `HEAD` where there is `GET`, and `OPTIONS`. */
export function withOtherMethods(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => {
      const { get, head } = methods;
      return [
        path,
        { ...methods, ...(get !== undefined && head === undefined ? { head: headOf(get) } : {}), options: optionsOf(path, methods) },
      ];
    }),
  );
}

function headOf({ operationId, summary, security, parameters = [], responses }: Operation): Operation {
  const { "200": success } = responses;
  const headers = success === undefined || "$ref" in success ? {} : success.headers;
  return {
    operationId: `${operationId}Head`,
    tags: [tag],
    summary: `${summary}: the head alone`,
    description: "What `GET` would answer, without the body.",
    ...(security === undefined ? {} : { security }),
    parameters,
    responses: {
      "200": { description: "Done.", headers: { ...headers, ...lengthHeader } },
      "4XX": response("HeadRefused"),
      "5XX": response("HeadRefused"),
    },
  };
}

function optionsOf(path: string, methods: Paths[string]): Operation {
  const [known] = Object.values(methods);
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== "");
  const inPath = (known?.parameters ?? []).filter((one) => "in" in one && one.in === "path");
  return {
    operationId: ["options", ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(""),
    tags: [tag],
    summary: "Ask for the methods of the path",
    description:
      "Needs no credentials. To a browser's question before the request of another page, where that page may ask, the answer says what it may send.",
    security: [],
    parameters: [...inPath, parameter("Origin"), parameter("RequestMethod"), ...tracing],
    responses: { "204": response("Options"), "400": response("NotOptions") },
  };
}
