import * as errors from "../../shared/contract/whatsapp/errors.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { isUnanswered } from "./network/answer-timer.js";
import { ConnectionLost, MessageRefused, QueryTimeout, UploadFailed } from "./network/connection-error.js";
import { refusalText } from "./refusal.js";

/**
 * What a caller is told of a failure of the platform inside a command. Only this file knows the library's errors; what it does not know
 * (an ended deadline, a lost slot, a defect) comes back as it is.
 */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof ConnectionLost || error instanceof QueryTimeout || isUnanswered(error)) return errors.sessionNotConnected(error);
  if (error instanceof UploadFailed) return errors.platformError(error.message, error);
  if (error instanceof MessageRefused) return errors.platformError(refusalText(error.code), error);
  const boom = boomOf(error);
  if (boom === undefined) return error;
  if (connectionCodes.has(boom.status)) return errors.sessionNotConnected(error);
  return errors.platformError(boom.code === undefined ? (ownWords.get(boom.text) ?? boom.text) : refusalText(boom.code, boom.text), error);
}

/** A message that could be encrypted for none of the devices that it had to be encrypted for. */
export function isWithoutKeys(error: unknown): boolean {
  return boomOf(error)?.text === withoutKeys;
}

const withoutKeys = "All encryptions failed";

/** For what the library says in words that mean nothing to a caller: all keys that it had or got were missing or forged. */
const ownWords: ReadonlyMap<string, string> = new Map([[withoutKeys, "none of the devices that the message is for has usable keys"]]);

/** Code of an error that the platform answered an IQ with, such as 404; `undefined` for anything else. */
export function iqErrorCode(error: unknown): number | undefined {
  return boomOf(error)?.code;
}

/** Code of an error that the platform answered a question about channels with, inside of an answer; `undefined` for anything else. */
export function graphErrorCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const reported: unknown = Reflect.get(error, "data") ?? error.cause;
  const extensions: unknown = typeof reported === "object" && reported !== null ? Reflect.get(reported, "extensions") : undefined;
  const code: unknown = typeof extensions === "object" && extensions !== null ? Reflect.get(extensions, "error_code") : undefined;
  return typeof code === "number" ? code : undefined;
}

/** Close code of the error that a connection ended with. */
export function closeCode(error: unknown): number | undefined {
  return boomOf(error)?.status;
}

/**
 * True when a write failed because the connection is broken. Node.js and the library report this to the writer before they
 * report the end of the connection.
 */
export function isFailedWrite(error: unknown): boolean {
  if (boomOf(error)?.status === connectionClosed) return true;
  if (!(error instanceof Error)) return false;
  const { syscall, code }: NodeJS.ErrnoException = error;
  return syscall === "write" || code === "ERR_STREAM_DESTROYED";
}

/** The library's `DisconnectReason.connectionClosed`: a write on a connection that is closed. */
const connectionClosed = 428;
/** 408: waiting on a connection that is gone. */
const connectionCodes: ReadonlySet<number> = new Set([408, connectionClosed]);

interface LibraryError {
  readonly text: string;
  /** HTTP-like status, which for answers of the platform is always 500. */
  readonly status: number;
  /** The code that the platform named. */
  readonly code: number | undefined;
}

/** The library throws Boom objects; their class is not ours to import. */
function boomOf(error: unknown): LibraryError | undefined {
  if (!(error instanceof Error) || !("isBoom" in error) || !("output" in error)) return undefined;
  const status: unknown = Reflect.get(Object(error.output), "statusCode");
  const data: unknown = Reflect.get(error, "data");
  if (typeof status !== "number") return undefined;
  return { text: error.message, status, code: typeof data === "number" ? data : undefined };
}
