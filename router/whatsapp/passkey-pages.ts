import type { OpenPath } from "../http/cors-rules.js";
import type { RoutePath } from "../http/handler.js";

/**
 * The pages on which a passkey of WhatsApp answers: what runs there (an extension of one's own, as the page itself may ask nobody but the platform) may bring the answer by a request, to this path alone and with
 * the token of its attempt alone. A session's secret or an API key is nothing that it could send.
 */
export function passkeyPages(path: RoutePath): OpenPath {
  return { path, origin: "https://web.whatsapp.com", requestHeaders: ["content-type", "id", "passkey-token", "x-request-id"] };
}
