import type { OpenPath } from "../http/cors-rules.js";
import type { RoutePath } from "../http/handler.js";

/**
 * Lets pages of WhatsApp call this path with an attempt's token only: there an extension submits the passkey's response. The allowed
 * headers exclude a session's secret and an API key.
 */
export function passkeyPages(path: RoutePath): OpenPath {
  return { path, origin: "https://web.whatsapp.com", requestHeaders: ["content-type", "id", "passkey-token", "x-request-id"] };
}
