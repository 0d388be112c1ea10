import { createRequire } from "node:module";
import type * as Declared from "uWebSockets.js";
import { requireHttpEngine } from "../../shared/process/http-engine.js";

/** What we use of the engine. Both packages have it; `_cfg` is its own switch of details, which neither declares. */
type Engine = Pick<typeof Declared, "App" | "us_listen_socket_close" | "us_socket_local_port"> & { readonly _cfg?: (code: string) => void };

/** The HTTP engine in the build that fits this host. The newer one is asked for as CommonJS, because its wrapper for imports leaves `_cfg` out. */
export const engine: Engine =
  requireHttpEngine() === "uWebSockets.js"
    ? await import("uWebSockets.js")
    : (createRequire(import.meta.url)("@btc-vision/uwebsockets.js") as Engine);
