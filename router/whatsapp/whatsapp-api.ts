import { tooManyRequests } from "../../shared/contract/errors.js";
import { commandRows } from "../../shared/contract/commands.js";
import { Mount } from "../endpoint/mount.js";
import { commandLimits, InFlightLimit } from "../endpoint/in-flight-limit.js";
import type { ApiParts } from "../api/api-parts.js";
import { checkCreation } from "../api/create-session.js";
import { getSession } from "../api/get-session.js";
import { ownRoutes } from "../api/session-routes.js";
import { createSession } from "./create-session.js";
import { getPasskey } from "./get-passkey.js";
import { passkeyCallers } from "./passkey-callers.js";
import { passkeyRoutes, routes } from "./routes.js";
import { serveMedia, type WhatsAppMediaParts } from "./serve-media.js";
import { sessionRecord } from "./session-record.js";

export interface WhatsAppApiParts extends ApiParts {
  readonly media: WhatsAppMediaParts;
}

/** Registers variant A's endpoints. Call it before the app listens. */
export function createWhatsAppApi(parts: WhatsAppApiParts): void {
  const { sessions, keys, admission, messages, checked, commands, ring, webhooks } = parts;
  const mount = new Mount(parts.app, "whatsapp", parts.prefix, keys, parts.guard, parts.log);
  const inFlight = new InFlightLimit({
    limits: parts.commandLimits ?? commandLimits,
    refusal: tooManyRequests,
    isShared: () => keys.isShared,
  });
  mount.endpoints({ sessions, admission, messages, commands, inFlight, ring, checked }, routes);
  const create = createSession(parts, commands);
  mount.handle(ownRoutes["create-session"].route, "create-session", commandRows.whatsapp["create-session"].deadlineMs, create, {
    check: (request) => checkCreation(keys, request),
  });
  const read = getSession(sessions, keys, admission, "whatsapp", (session, secret) =>
    sessionRecord(session, secret, webhooks.read(session.id, session.webhook)),
  );
  mount.handle(ownRoutes["get-session"].route, "get-session", 0, read, { atHand: read.atHand });
  mount.handle(passkeyRoutes["get-passkey"].route, "get-passkey", 0, getPasskey(sessions, keys, admission), {
    check: (request) => passkeyCallers.check(keys, request),
  });
  serveMedia(mount, parts.media, sessions, commands);
}
