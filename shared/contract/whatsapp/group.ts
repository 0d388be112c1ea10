import type { Instant } from "../plain-values.js";

/** A group that the account is in. */
export interface Group {
  /** Group id; it ends in `@g.us`. */
  id: string;
  /** Name of the group. */
  name: string;
  /** Its description; empty when there is none. */
  description: string;
  /** URL of its picture; empty when there is none. */
  picture: string;
  /** When it was created; `null` when the platform does not tell. */
  created: Instant | null;
}

/** A member of a group. */
export interface GroupMember {
  /** Member id; it ends in `@s.whatsapp.net`, or in `@lid` when the platform hides the number. */
  id: string;
  /** Name in the account's address book, else the number; empty for a hidden member who is not in it. The account itself has its own name. */
  name: string;
  /** Number in international format; empty where the platform hides it. */
  phone: string;
}

export interface GroupQuery {
  groupId: string;
}
