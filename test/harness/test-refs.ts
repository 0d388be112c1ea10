import { randomBytes } from "node:crypto";
import type { Platform } from "../../shared/contract/platform.js";
import { LinkKeys } from "../../shared/media/link.js";
import { MessageRefs } from "../../shard/session/message-refs.js";

/** Refs of the tenant `default` under a key of their own. */
export function testRefs(platform: Platform): MessageRefs {
  return new MessageRefs(LinkKeys.parse(`a:${randomBytes(32).toString("base64")}`), platform, () => "default");
}
