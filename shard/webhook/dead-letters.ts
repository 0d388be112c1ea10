import { webhookIsOff } from "../../shared/contract/errors.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput } from "../../shared/contract/dead-letters.js";
import type { SessionOutbox } from "../session/store/session-outbox.js";
import type { FencedWrite } from "./delivery-parts.js";

/** The dead letters of a session. */
export class DeadLetters {
  constructor(
    private readonly outbox: Pick<SessionOutbox, "letters" | "replay">,
    private readonly write: FencedWrite,
  ) {}

  async list({ after, limit }: DeadLetterQuery): Promise<DeadLetterPage> {
    const letters = await this.outbox.letters(after, limit);
    const docs = letters.map(({ entry: _, body, ...letter }) => ({ ...letter, body: JSON.parse(body.toString()) as unknown }));
    return { docs, next: letters.length < limit ? "" : (letters.at(-1)?.entry ?? "") };
  }

  /** Appends them to the outbox again. */
  async replay(requestId: string): Promise<ReplayOutput> {
    const replay = await this.write(() => this.outbox.replay(requestId));
    if (replay === undefined) throw webhookIsOff();
    return replay;
  }
}
