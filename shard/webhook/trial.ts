import { createHash } from "node:crypto";
import { webhookIsFull, webhookIsOff } from "../../shared/contract/errors.js";
import type { SessionEventData } from "../../shared/contract/session-events.js";
import type { RetryOutput, TestEventOutput } from "../../shared/contract/webhook-trial.js";
import type { SessionOutbox } from "../session/store/session-outbox.js";
import type { FencedWrite } from "./delivery-parts.js";

const data: SessionEventData["test"] = { text: "This is a test event. Nothing happened." };

/** Commands to test a receiver with: retry the waiting events at once, or append a test event. */
export class Trial {
  constructor(
    private readonly outbox: Pick<SessionOutbox, "read" | "length" | "appendTest">,
    private readonly write: FencedWrite,
  ) {}

  async waiting(): Promise<RetryOutput> {
    const [{ settings }, waiting] = await Promise.all([this.outbox.read(), this.outbox.length()]);
    if (settings.url === "") throw webhookIsOff();
    return { waiting };
  }

  /** A command that runs again makes the same event. */
  async append(commandId: string, requestId: string): Promise<TestEventOutput> {
    const id = createHash("sha256").update(`test|${commandId}`).digest("hex");
    const event = { id, created: new Date().toISOString(), data };
    const { outcome, waiting } = await this.write(() => this.outbox.appendTest(event, requestId));
    switch (outcome) {
      case "OFF":
        throw webhookIsOff();
      case "FULL":
        throw webhookIsFull();
      case "OK":
        return { id, waiting };
      default:
        return outcome satisfies never;
    }
  }
}
