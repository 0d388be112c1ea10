import { createRequire } from "node:module";
import type * as Declared from "uWebSockets.js";
import { requireHttpEngine } from "../../shared/process/http-engine.js";

/** The engine's API that we use. Both packages have it. Neither declares `_cfg`, the engine's switch for details. */
type Engine = Pick<typeof Declared, "App" | "us_listen_socket_close" | "us_socket_local_port"> & { readonly _cfg?: (code: string) => void };

/** The HTTP engine in the build that fits this host. The newer package is loaded as CommonJS, because its ESM wrapper leaves out `_cfg`. */
export const engine: Engine =
  requireHttpEngine() === "uWebSockets.js"
    ? await import("uWebSockets.js")
    : (createRequire(import.meta.url)("@btc-vision/uwebsockets.js") as Engine);
