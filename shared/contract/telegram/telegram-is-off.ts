/** `lastError` of Telegram sessions while the gateway has no Telegram application. No timer deletes these sessions. */
export const telegramIsOff = "Telegram is off: TELEGRAM_API_ID and TELEGRAM_API_HASH are not set";
