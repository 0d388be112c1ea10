import typia from "typia";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { SecretMap } from "../session/session-context.js";

/**
 * The chats in which the typing indicator is shown, stored before it is: a process that is killed cannot hide it, so its successor does.
 * Bounded by the indicators themselves, of which `Typing` keeps 500 at most.
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

  /** What is stored, by this process or by one before it. */
  async stored(): Promise<string[]> {
    const [bytes] = await this.secrets.getMany([fieldName]);
    return bytes === undefined ? [] : (parseChats(bytes.toString()) ?? []);
  }

  /** Stored are then those alone that this process shows. */
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

/** Keys of the library have a colon in their names. */
const fieldName = "typing";
const parseChats = typia.json.createIsParse<string[]>();
