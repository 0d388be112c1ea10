import type { EnvReader } from "./env.js";

/** The application of my.telegram.org with which accounts log in. */
export interface TelegramApp {
  readonly apiId: number;
  readonly apiHash: string;
}

/** Returns `undefined` if neither setting is given, which turns Telegram off. One setting without the other is a problem. */
export function readTelegramApp(env: EnvReader): TelegramApp | undefined {
  if (env.optional("TELEGRAM_API_ID") === undefined && env.optional("TELEGRAM_API_HASH") === undefined) return undefined;
  env.text("TELEGRAM_API_ID");
  return { apiId: readTelegramApiId(env, 0), apiHash: env.text("TELEGRAM_API_HASH") };
}

export function readTelegramApiId(env: EnvReader, fallback: number): number {
  return env.integer("TELEGRAM_API_ID", fallback, { min: 1, max: 2 ** 31 - 1 });
}
