import { tooManyRequests } from "../../shared/contract/errors.js";
import { commandRows } from "../../shared/contract/commands.js";
import type { Log } from "../../shared/log/logger.js";
import type { MessagePort } from "../tenant/message-days.js";
import type { KeyPort } from "../tenant/principal.js";
import type { RatePort } from "../tenant/request-rates.js";
import type { PlacePort } from "../tenant/session-places.js";
import { authorize } from "../endpoint/authorize.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import { Mount, type RoutePort } from "../endpoint/mount.js";
import { commandLimits, SessionSlots, type SlotLimits } from "../endpoint/session-slots.js";
import type { RoutePath } from "../http/handler.js";
import { getSession } from "../session/get-session.js";
import { createSession } from "./create-session.js";
import { routes } from "./routes.js";
import { sessionRecord } from "./session-record.js";

export interface WhatsAppApiParts {
  readonly app: RoutePort;
  /** In front of every path, such as `/whatsapp`; may be empty. */
  readonly prefix: "" | RoutePath;
  readonly sessions: SessionPort;
  readonly commands: CommandPort;
  readonly keys: KeyPort;
  readonly places: PlacePort;
  readonly rates: RatePort;
  readonly messages: MessagePort;
  readonly log: Log;
  readonly commandLimits?: SlotLimits;
}

/** Puts variant A's endpoints on the app, before it listens. There is no `/webhook` among them: the engine that had one is retired. */
export function createWhatsAppApi(parts: WhatsAppApiParts): void {
  const { sessions, keys, rates, messages, commands } = parts;
  const mount = new Mount(parts.app, "whatsapp", parts.prefix, keys, parts.log);
  mount.endpoints(
    { sessions, rates, messages, commands, slots: new SessionSlots(parts.commandLimits ?? commandLimits, tooManyRequests) },
    routes,
  );
  mount.handle("POST", "/session", "create-session", commandRows.whatsapp["create-session"].deadlineMs, createSession(parts, commands), {
    check: (request) => authorize(keys, "create-session", request),
  });
  mount.handle("GET", "/session", "get-session", 0, getSession(sessions, keys, rates, "whatsapp", sessionRecord));
}
