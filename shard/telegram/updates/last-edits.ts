import { createHash } from "node:crypto";
import type { PrivateMessage } from "../../../shared/contract/telegram/webhook-body.js";

/**
 * The last edits of the messages of one step. The platform also resends an edited message for a reaction, so only changed content is an
 * edit. An edit's id includes the previous edit, so A, B and A in one second get three ids.
 */
export class LastEdits {
  /** Marks by message id, to be stored with the step. */
  readonly noted = new Map<string, string>();
  private readonly stored: Map<string, string>;

  constructor(ids: readonly string[], marks: readonly (string | undefined)[]) {
    this.stored = new Map(ids.flatMap((id, at) => (marks[at] === undefined ? [] : [[id, marks[at]] as const])));
  }

  /**
   * Returns the id of the edit event before this state, "same" if the content did not change, and `undefined` without a known edit. `id`
   * names the message among all of the account.
   */
  before(id: string, record: PrivateMessage): "same" | readonly [eventId: string] | undefined {
    const [state, event] = this.stored.get(id)?.split(" ") ?? [];
    if (state === undefined || event === undefined) return undefined;
    return state === stateOf(record) ? "same" : [event];
  }

  note(id: string, record: PrivateMessage, event: string): void {
    this.stored.set(id, this.noteNew(id, record, event));
  }

  /** Records a message that was edited before its first event. A further edit in the same step still produces an event. */
  noteNew(id: string, record: PrivateMessage, event: string): string {
    const mark = `${stateOf(record)} ${event}`;
    this.noted.set(id, mark);
    return mark;
  }
}

/**
 * Returns a digest of the message without fields that change on their own: the people, links, whose signatures change with the keys, and
 * the ref, which is sealed anew each time. A poll's texts never change, and marks of earlier versions do not contain them.
 */
export function stateOf({
  chat: _chat,
  author: _author,
  ref: _ref,
  url: _url,
  thumbnail: _thumbnail,
  poll: _poll,
  ...state
}: PrivateMessage): string {
  return createHash("sha256").update(JSON.stringify(state)).digest("base64url");
}
