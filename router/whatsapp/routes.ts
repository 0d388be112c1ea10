import type { Endpoints } from "../endpoint/endpoint.js";

/** Variant A's endpoints: none yet, see `shared/contract/whatsapp/commands.ts`. */
export const routes = {} as const satisfies Endpoints<"whatsapp">;
