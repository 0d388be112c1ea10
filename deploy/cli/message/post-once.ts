import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { isMessageSent } from "../gateway/responses.js";
import { sendOnce, type Once } from "./send-once.js";

export interface Post extends Pick<Once, "session" | "key"> {
  readonly endpoint: "message" | "status";
  readonly body: (platform: Platform) => Record<string, unknown>;
}

/** Sends a message or a story as `sendOnce` does. */
export async function postOnce(
  cli: Cli,
  { session, endpoint, body, key }: Post,
): Promise<{ id: string; platform: Platform; sent: string }> {
  const request: Once["request"] = (platform) => ({ method: "POST", path: `/${endpoint}`, body: body(platform) });
  const { id, platform, response } = await sendOnce(cli, { session, request, key }, isMessageSent);
  return { id, platform, sent: "messageId" in response ? response.messageId : response.statusId };
}
