import type { Instant } from "../plain-values.js";

/** A group of the account: a basic group or a supergroup. */
export interface Group {
  /** Group id. Starts with `-`, for supergroups with `-100`. */
  id: string;
  /** Name of the group. */
  name: string;
  /** Public username without `@`. Empty for private and basic groups. */
  username: string;
  /** Description of the group. Empty if there is none. May be 5 minutes old. */
  description: string;
  /** Small photo as a data URI. May be empty. */
  picture: string;
  /** Time when the account joined. */
  created: Instant;
}

/** A member of a group. */
export interface GroupMember {
  /** Id of the user on the platform. Use it as `user` in requests. */
  id: string;
  /** Display name, or the username, phone number or id if there is no name. */
  name: string;
  /** Username without `@`. Empty if there is none. */
  username: string;
  /** Phone number. Empty unless the member shares it with the account. */
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
