import type { Platform } from "../shared/contract/platform.js";
import { request } from "../test/harness/api.js";
import type { Gateway } from "../test/harness/gateway.js";

/** Sends a POST to the control API of the gateway's sandbox, and resolves with the unchecked response. Rejects when it is not a 200. */
export async function control(gateway: Gateway, platform: Platform, path: string, body: object): Promise<unknown> {
  const response = await request(`${gateway.sandbox}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform, ...body }),
  });
  if (response.status !== 200) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}
