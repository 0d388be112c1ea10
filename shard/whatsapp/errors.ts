import * as errors from "../../shared/contract/whatsapp/errors.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { isQueryTimeout } from "./network/bound-queries.js";
import { ConnectionLost, MessageRefused, QueryTimeout, UploadFailed } from "./network/connection-error.js";
import { refusalText } from "./refusal.js";

/**
 * Converts a platform failure inside a command to the error for the caller. Only this file knows the library's errors. An unknown error (a
 * deadline, a lost slot, a defect) is returned unchanged.
 */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof ConnectionLost || error instanceof QueryTimeout || isQueryTimeout(error)) return errors.sessionNotConnected(error);
  if (error instanceof UploadFailed) return errors.platformError(error.message, error);
  if (error instanceof MessageRefused) return errors.platformError(refusalText(error.code), error);
  const boom = boomOf(error);
  if (boom === undefined) return error;
  const graphCode = graphErrorCode(error);
  if (graphCode !== undefined) return errors.platformError(refusalText(graphCode, boom.text.replace(graphPrefix, "")), error);
  if (connectionCodes.has(boom.status)) return errors.sessionNotConnected(error);
  return errors.platformError(boom.code === undefined ? (ownTexts.get(boom.text) ?? boom.text) : refusalText(boom.code, boom.text), error);
}

/** The library's own words before the platform's text. */
const graphPrefix = /^GraphQL server error: /;

/** True when a message could not be encrypted for any of the devices that need it. */
export function isWithoutKeys(error: unknown): boolean {
  return boomOf(error)?.text === withoutKeys;
}

const withoutKeys = "All encryptions failed";

/** Replaces texts of the library that mean nothing to a caller. */
const ownTexts: ReadonlyMap<string, string> = new Map([[withoutKeys, "none of the devices that the message is for has usable keys"]]);

/** Returns the error code of an IQ response, such as 404; `undefined` for any other error. */
export function iqErrorCode(error: unknown): number | undefined {
  return boomOf(error)?.code;
}

/** Returns the error code inside a GraphQL response about channels; `undefined` for any other error. */
export function graphErrorCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const reported: unknown = Reflect.get(error, "data") ?? error.cause;
  const extensions: unknown = typeof reported === "object" && reported !== null ? Reflect.get(reported, "extensions") : undefined;
  const code: unknown = typeof extensions === "object" && extensions !== null ? Reflect.get(extensions, "error_code") : undefined;
  return typeof code === "number" ? code : undefined;
}

/** Returns the close code of the error that a connection ended with. */
export function closeCode(error: unknown): number | undefined {
  return boomOf(error)?.status;
}

/** True for an error of the connection itself. Pending calls get it before the library reports the end of the connection. */
export function isBrokenConnection(error: unknown): boolean {
  if (boomOf(error)?.status === connectionClosed) return true;
  if (!(error instanceof Error)) return false;
  const { syscall, code }: NodeJS.ErrnoException = error;
  return syscall === "read" || syscall === "write" || code === "ERR_STREAM_DESTROYED";
}

/** The library's `DisconnectReason.connectionClosed`: a write on a connection that is closed. */
const connectionClosed = 428;
/** 408: a wait on a connection that is gone. */
const connectionCodes: ReadonlySet<number> = new Set([408, connectionClosed]);

interface LibraryError {
  readonly text: string;
  /** HTTP-like status, which is always 500 for errors that the platform returned. */
  readonly status: number;
  /** The code that the platform named. */
  readonly code: number | undefined;
}

/** Reads a Boom error of the library. Its class is a dependency of the library, so the check is by shape. */
function boomOf(error: unknown): LibraryError | undefined {
  if (!(error instanceof Error) || !("isBoom" in error) || !("output" in error)) return undefined;
  const status: unknown = Reflect.get(Object(error.output), "statusCode");
  const data: unknown = Reflect.get(error, "data");
  if (typeof status !== "number") return undefined;
  return { text: error.message, status, code: typeof data === "number" ? data : undefined };
}
