import type { Instant } from "../plain-values.js";

/** A group of the account. */
export interface Group {
  /** Group id, ends in `@g.us`. */
  id: string;
  /** Name of the group. */
  name: string;
  /** Description of the group. Empty if there is none. */
  description: string;
  /** URL of the group's picture. Empty if there is none. */
  picture: string;
  /** Time of creation. `null` if the platform does not report it. */
  created: Instant | null;
}

/** A member of a group. */
export interface GroupMember {
  /** Member id. Ends in `@s.whatsapp.net`, or in `@lid` if the platform hides the number. */
  id: string;
  /**
   * Name in the account's address book, else the number. Empty for hidden members outside the address book. The account itself has its
   * own name.
   */
  name: string;
  /** Phone number in international format. Empty if the platform hides it. */
  phone: string;
}

export interface GroupQuery {
  groupId: string;
}
