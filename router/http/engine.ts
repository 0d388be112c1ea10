import type * as Declared from "uWebSockets.js";
import { requireHttpEngine } from "../../shared/process/http-engine.js";

/** What we use of the engine. Both packages have it. */
type Engine = Pick<typeof Declared, "App" | "us_listen_socket_close" | "us_socket_local_port">;

/** The HTTP engine in the build that fits this host. The packages declare the same functions with types of their own. */
export const engine: Engine =
  requireHttpEngine() === "uWebSockets.js"
    ? await import("uWebSockets.js")
    : ((await import("@btc-vision/uwebsockets.js")) as unknown as Engine);
