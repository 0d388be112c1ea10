import type { Instant } from "../plain-values.js";

/** A group that the account is in: a basic group or a supergroup. */
export interface Group {
  /** Group id; it starts with `-`, that of a supergroup with `-100`. */
  id: string;
  /** Name of the group. */
  name: string;
  /** Public username without `@`; empty for private and basic groups. */
  username: string;
  /** Its description; empty when there is none. May be 5 minutes old. */
  description: string;
  /** Small photo as a data URI; may be empty. */
  picture: string;
  /** When the account joined it. */
  created: Instant;
}

/** A member of a group. */
export interface GroupMember {
  /** The platform's id of the user; usable as `user` in requests. */
  id: string;
  /** Name to show; the username, phone or id when there is none. */
  name: string;
  /** Username without `@`; empty when there is none. */
  username: string;
  /** Number; empty unless the member shares it with the account. */
  phone: string;
}

/** GET /group/member: a group id or the username of a public group. */
export interface GroupMemberQuery {
  groupId: string;
}

/** GET /group/{groupId}. */
export interface GroupQuery {
  groupId: string;
}
