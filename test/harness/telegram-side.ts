import type { Received } from "../sandbox/telegram/world/received.js";
import type { Reachable } from "./api.js";
import { PlatformSide, type Doc } from "./platform-side.js";

/** The platform's side of variant B. */
export class TelegramSide extends PlatformSide<Received> {
  constructor(gateway: Pick<Reachable, "sandbox">) {
    super(gateway, "telegram");
  }

  /** Returns a file of the public chats that matches. */
  async media(wanted: (doc: Doc) => boolean): Promise<Doc> {
    const found = (await this.docs("/media?platform=telegram")).find(wanted);
    if (found === undefined) throw new Error("the sandbox has no such media");
    return found;
  }
}
