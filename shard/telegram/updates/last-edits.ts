import { createHash } from "node:crypto";
import type { PrivateMessage } from "../../../shared/contract/telegram/webhook-body.js";

/**
 * The last edits of the messages of one step. A platform sends an edited message anew for a reaction as well, with the date of the old edit:
 * an edit is what differs from the last one. It names the edit before it, so that edits A, B and A of one second have three ids.
 */
export class LastEdits {
  /** Message id -> mark, to be stored with the step. */
  readonly noted = new Map<string, string>();
  private readonly known: Map<string, string>;

  constructor(ids: readonly string[], marks: readonly (string | undefined)[]) {
    this.known = new Map(ids.flatMap((id, at) => (marks[at] === undefined ? [] : [[id, marks[at]] as const])));
  }

  /** The event of the edit before this state of the message; `undefined` without one that is known. */
  before(record: PrivateMessage): "same" | readonly [eventId: string] | undefined {
    const [state, event] = this.known.get(record.id)?.split(" ") ?? [];
    if (state === undefined || event === undefined) return undefined;
    return state === stateOf(record) ? "same" : [event];
  }

  note(record: PrivateMessage, event: string): void {
    this.known.set(record.id, this.noteNew(record, event));
  }

  /** A message that was edited before it was told of. An edit of the same step is told none the less. */
  noteNew(record: PrivateMessage, event: string): string {
    const mark = `${stateOf(record)} ${event}`;
    this.noted.set(record.id, mark);
    return mark;
  }
}

/** A digest of the message. Without what changes by itself: the person, and links, whose signature changes with the ring of keys. */
export function stateOf({ chat: _chat, url: _url, thumbnail: _thumbnail, ...state }: PrivateMessage): string {
  return createHash("sha256").update(JSON.stringify(state)).digest("base64url");
}
