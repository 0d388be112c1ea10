import type { Log } from "../../shared/log/logger.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { RoutePort } from "../endpoint/mount.js";
import type { GuardPort, ServeParts } from "../endpoint/serve.js";
import type { InFlightLimits } from "../endpoint/in-flight-limit.js";
import type { RoutePath } from "../http/handler.js";
import type { CreateSessionParts } from "./create-session.js";
import type { WebhookSettingsReader } from "./webhook/webhook-settings.js";

/** Parts for the endpoints of every platform. */
export interface ApiParts extends CreateSessionParts, Pick<ServeParts, "messages" | "checked"> {
  readonly app: RoutePort;
  /** Prefix of every path, such as `/telegram`; may be empty. */
  readonly prefix: "" | RoutePath;
  readonly sessions: SessionPort;
  readonly commands: CommandPort;
  readonly webhooks: Pick<WebhookSettingsReader, "read">;
  readonly guard: GuardPort;
  readonly log: Log;
  readonly commandLimits?: InFlightLimits;
}
