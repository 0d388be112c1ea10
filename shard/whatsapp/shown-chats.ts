import typia from "typia";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { SecretMap } from "../session/session-context.js";

/**
 * The chats that show the typing indicator. Each is stored first, so that the next process can hide the indicator after a crash. `Typing`
 * keeps at most 500.
 */
export class ShownChats {
  private readonly chats = new Set<string>();
  private readonly writing = new SerialQueue();

  constructor(private readonly secrets: SecretMap) {}

  /** Durable before it resolves. */
  async add(chat: string): Promise<void> {
    if (this.chats.has(chat)) return;
    this.chats.add(chat);
    await this.write();
  }

  async remove(chat: string): Promise<void> {
    if (this.chats.delete(chat)) await this.write();
  }

  /** Returns the stored chats, which this process or a previous one wrote. */
  async stored(): Promise<string[]> {
    const [bytes] = await this.secrets.getMany([fieldName]);
    return bytes === undefined ? [] : (parseChats(bytes.toString()) ?? []);
  }

  /** Removes these chats and stores the chats that this process shows. */
  async forget(chats: readonly string[]): Promise<void> {
    for (const chat of chats) this.chats.delete(chat);
    await this.write();
  }

  private write(): Promise<void> {
    return this.writing.run(() =>
      this.secrets.apply(new Map([[fieldName, this.chats.size === 0 ? undefined : Buffer.from(JSON.stringify([...this.chats]))]])),
    );
  }
}

/** The library's key names contain a colon, so this name cannot collide. */
const fieldName = "typing";
const parseChats = typia.json.createIsParse<string[]>();
