import { randomBytes } from "node:crypto";
import type { StoredSession } from "./session-reader.js";

/** An answer, but for the caller's secret, which is nowhere kept. */
interface SplitText {
  readonly before: string;
  readonly after: string;
}

/** Stands in the place of the secret while a text is made; nobody can put it into a record. */
const marker = randomBytes(32).toString("hex");

/** Answers of records that are polled: where somebody vouches for the session, the text is made once for each reading of its record, and goes with it. */
export class KnownAnswers {
  private readonly texts = new WeakMap<StoredSession["version"], SplitText>();

  constructor(private readonly reply: (session: StoredSession, secret: string) => string) {}

  /** Of an active session whose code nobody waits for. */
  of(session: StoredSession, secret: string): string {
    if (!session.heard) return this.reply(session, secret);
    const { before, after } = this.texts.get(session.version) ?? this.make(session);
    return before + JSON.stringify(secret) + after;
  }

  private make(session: StoredSession): SplitText {
    const [before = "", after = ""] = this.reply(session, marker).split(JSON.stringify(marker));
    const made = { before, after };
    this.texts.set(session.version, made);
    return made;
  }
}
