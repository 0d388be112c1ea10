import type { HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import type { Principal } from "../tenant/principal.js";

/** Answers a caller whose role may do this somewhere; whether also here is the handler's to judge. */
export type AdminHandler = (request: HttpRequest, signal: AbortSignal, principal: Principal) => Promise<HttpAnswer>;
