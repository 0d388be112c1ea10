import type { SandboxAccount } from "../sandbox-account.js";
import { foundIn } from "../chats/found-in.js";

/** A person, group or channel that can receive a message. */
export interface Recipient {
  /** Field name in the body. */
  readonly kind: string;
  readonly to: string;
  /** Empty if it is not known. */
  readonly name: string;
  readonly picture?: string;
}

export interface RecipientGroup {
  readonly title: string;
  /** The first ones that match. */
  readonly shown: readonly Recipient[];
  /** Number of all that match. */
  readonly count: number;
}

const shownMax = 30;

/** Returns the recipients that match a search, by group and without empty groups. Pure. */
export function matching(q: string, groups: readonly (readonly [title: string, rows: readonly Recipient[]])[]): readonly RecipientGroup[] {
  return groups.flatMap(([title, rows]) => {
    const found = rows.filter(({ name, to }) => foundIn(q, [name, to]));
    return found.length === 0 ? [] : [{ title, shown: found.slice(0, shownMax), count: found.length }];
  });
}

/** Returns one of the sandbox's people as a recipient. Pure. */
export function recipientOf({ username = "", phone, name = "", account }: SandboxAccount): Recipient {
  const who = name === "" ? account : name;
  return username === "" ? { kind: "phone", to: `+${phone}`, name: who } : { kind: "username", to: username, name: who };
}
