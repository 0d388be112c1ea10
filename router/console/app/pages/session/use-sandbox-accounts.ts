import { call } from "../../api/call.js";
import type { Platform } from "../../api/rows.js";
import { settings } from "../../api/settings.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";
import type { SandboxAccount } from "./sandbox-account.js";

/** Loads the sandbox's people of one platform; none without the sandbox. */
export function useSandboxAccounts(platform: Platform): Loaded<readonly SandboxAccount[]> {
  return useLoaded(
    async (signal) => {
      if (settings().sandbox === null) return [];
      const { docs } = await call<{ docs: readonly SandboxAccount[] }>("GET /console/sandbox/accounts", { signal });
      return docs.filter((known) => known.platform === platform);
    },
    [platform],
  );
}
