import type { tags } from "typia";
import { isBlank } from "../../shared/contract/blank.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { faultsOfProxy, proxyIn } from "./proxy.js";
import type { NewSession } from "../../shared/contract/command-row.js";
import {
  isEmpty,
  mustBeAtMostBytesOfJson,
  mustBeAtMostCharacters,
  mustBeObject,
  mustBeOneLine,
  mustBeString,
} from "../../shared/contract/rules.js";

/** Settings of a new session. */
export interface NewSessionForm {
  /** Name for people: one line of at most 64 characters. You can search for sessions by label. */
  label?: string & tags.MaxLength<typeof labelMaxCharacters>;
  /** Any JSON object of at most 1,024 bytes. Stored encrypted. */
  metadata?: Record<string, unknown>;
  /**
   * Proxy for connections to the platform, instead of the proxy of the API key or tenant: `socks5://[user:password@]host:port`, or
   * `http://…`. Stored encrypted. Responses never include its login.
   */
  proxy?: string;
}

export const labelMaxCharacters = 64;
export const metadataMaxBytes = 1024;

/**
 * Parses `label`, `metadata` and `proxy` of `POST /session`. A label is one line for people, so it must not contain line breaks or change
 * the text direction.
 */
export function parseNotes(body: object): Pick<NewSession, "label" | "metadata" | "proxy"> {
  const { label, metadata, proxy }: { label?: unknown; metadata?: unknown; proxy?: unknown } = withoutBlankTexts(body);
  const text = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata) ? JSON.stringify(metadata) : "";
  const faults = [...faultsOfLabel("label", label), ...faultsOfMetadata(metadata, text), ...faultsOfProxy(proxy)];
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
  return { label: typeof label === "string" ? label : "", metadata: text, proxy: proxyIn(proxy) };
}

/** Leaves the content of `metadata` unchanged. */
function withoutBlankTexts(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]: [string, unknown]) => typeof value !== "string" || !isBlank(value)));
}

/** Returns the faults of any text by which people name something. */
export function faultsOfLabel(field: string, value: unknown): string[] {
  if (isEmpty(value)) return [];
  if (typeof value !== "string") return [mustBeString(field)];
  return [
    ...(isLonger(value, labelMaxCharacters) ? [mustBeAtMostCharacters(field, labelMaxCharacters)] : []),
    ...(unprintable.test(value) ? [mustBeOneLine(field)] : []),
  ];
}

/** Counts no further than necessary. */
function isLonger(text: string, most: number): boolean {
  return text.length > 2 * most || Array.from(text).length > most;
}

function faultsOfMetadata(value: unknown, text: string): string[] {
  if (isEmpty(value)) return [];
  if (text === "") return [mustBeObject("metadata")];
  return Buffer.byteLength(text) > metadataMaxBytes ? [mustBeAtMostBytesOfJson("metadata", metadataMaxBytes)] : [];
}

/** Control characters, line and paragraph separators, and characters that change the text direction. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
