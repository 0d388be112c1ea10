import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import { platformError } from "../../../shared/contract/whatsapp/errors.js";
import type { ApiError } from "../../../shared/contract/api-error.js";

/** Returns a query about channels, which the platform handles as GraphQL. */
export function graphQuery(queryId: string, variables: Readonly<Record<string, unknown>>): BinaryNode {
  return {
    tag: "iq",
    attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "w:mex" },
    content: [{ tag: "query", attrs: { query_id: queryId }, content: Buffer.from(JSON.stringify({ variables })) }],
  };
}

/** Returns the part of a response under `path`. Throws the platform's error if the response has one, and `unnamed` if that has no text. */
export function graphResult(response: BinaryNode, path: string, unnamed: (cause: unknown) => ApiError): unknown {
  const content = getBinaryNodeChild(response, "result")?.content;
  const report: unknown = content instanceof Uint8Array || typeof content === "string" ? parseJson(content) : undefined;
  const errors = member(report, "errors");
  const error: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message = member(error, "message");
  if (error !== undefined) throw typeof message === "string" ? platformError(message, error) : unnamed(error);
  return member(member(report, "data"), path);
}

function parseJson(content: Uint8Array | string): unknown {
  return JSON.parse(Buffer.from(content).toString("utf8")) as unknown;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
