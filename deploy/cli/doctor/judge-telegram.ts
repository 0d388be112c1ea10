import type { ProcessReport } from "../../../shared/cluster/process-report.js";
import { ok, type Finding } from "./finding.js";

const howToTurnOn = "set TELEGRAM_API_ID and TELEGRAM_API_HASH to turn it on";

/** Notes that Telegram is off at running shards. A deployment may serve WhatsApp alone, so nothing has to be fixed. */
export function judgeTelegram(reports: readonly Pick<ProcessReport, "role" | "name" | "telegramApiId">[]): Finding[] {
  const off = reports
    .filter(({ role, telegramApiId }) => role === "shard" && telegramApiId === undefined)
    .map(({ name }) => name)
    .sort();
  return off.length === 0 ? [] : [ok("telegram", `off at ${off.join(", ")}; ${howToTurnOn}`)];
}

/** Notes that the next start of this host will leave Telegram off. */
export function judgeTelegramOfStart(telegramApiId: number | undefined): Finding[] {
  return telegramApiId === undefined ? [ok("telegram", `off at the next start; ${howToTurnOn}`)] : [];
}
