import pino, { type Logger, type LoggerOptions } from "pino";
import { isRefusedWrite } from "../flow/redis-trouble.js";
import { LineBudget } from "./line-budget.js";

const warnLevel = pino.levels.values["warn"] ?? 40;

/**
 * Structured log: a fixed lower-case message, with facts in fields. `error`: a person must act. `warn`: may become that. `info`: a start,
 * stop or change. `debug`: details of a request.
 */
export type Log = Pick<Logger, "error" | "warn" | "info" | "debug"> & { child(fields: Record<string, unknown>): Log };

/** JSON lines on standard output. Secrets never enter a log field; `redact` is the second line of defence. */
export function createLog(fields: Record<string, unknown>, level: string): Log {
  // When Redis is full, every session warns of its rejected write.
  const rejectedWrites: LineBudget = new LineBudget({ warn: (...line) => log.warn(...line) }, "redis write rejections", 1);
  const hooks: LoggerOptions["hooks"] = {
    logMethod(parts, write, at) {
      if (at < warnLevel || !isWriteRejection(parts[0]) || rejectedWrites.take()) write.apply(this, parts);
    },
  };
  const log = pino(
    {
      level,
      base: fields,
      redact: {
        paths: ["password", "token", "sessionId", "credentials", "*.password", "*.token", "*.sessionId", "*.credentials"],
        censor: "[secret]",
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks,
    },
    standardOutput,
  );
  return log;
}

/** Returns whether the fields of a log line hold an error with which Redis rejected a write. */
function isWriteRejection(fields: unknown): boolean {
  if (typeof fields !== "object" || fields === null) return false;
  if ("err" in fields) return isRefusedWrite(fields.err);
  return "reason" in fields && typeof fields.reason === "string" && isRefusedWrite(new Error(fields.reason));
}

/**
 * Returns the message, stack and causes of an error and drops its other fields: Redis errors carry
 * the whole command, with session ids and QR codes.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code = "code" in error && ["string", "number"].includes(typeof error.code) ? { code: error.code } : {};
  const several = error instanceof AggregateError ? { errors: error.errors.map(describeError) } : {};
  return { type, message, stack, ...code, ...several };
}

/** Not pino's own destination: when the terminal is gone, that one repeats its last write for ever and the process never ends. */
const standardOutput = { write: (line: string): void => void process.stdout.write(line) };

/** For tests and tools that want silence. */
export const silentLog: Log = pino({ level: "silent" });
