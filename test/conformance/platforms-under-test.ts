import type { Platform } from "../../shared/contract/platform.js";
import type { PlatformUnderTest } from "./platform-under-test.js";
import { telegramUnderTest } from "./telegram/telegram-under-test.js";
import { whatsappUnderTest } from "./whatsapp/whatsapp-under-test.js";

/** A row per platform. A new platform does not compile without one. */
export const platformsUnderTest: { readonly [P in Platform]: PlatformUnderTest<P> } = {
  whatsapp: whatsappUnderTest,
  telegram: telegramUnderTest,
};

/** The rows for `describe.each`. */
export const eachPlatform = Object.values(platformsUnderTest);
