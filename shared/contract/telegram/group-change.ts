import type { MemberVerdict } from "../group-change.js";
import type { Instant } from "../plain-values.js";
import type { Group } from "./group.js";
import type { PersonRecipient } from "./message.js";

/** POST /group, after validation. */
export interface NewGroupInput {
  name: string;
  members: PersonRecipient[];
}

/** The new group. */
export interface NewGroup extends Group {
  /** People that the platform did not add. */
  refused: MemberResult[];
}

/** The group that a call is about. */
export interface GroupReference {
  /** Id or username. */
  group: string;
}

/** POST and DELETE /group/member and /group/admin, after validation. */
export interface MembersInput extends GroupReference {
  members: PersonRecipient[];
}

/** What became of one person of a call. */
export interface MemberResult extends MemberVerdict {
  /** Phone number, if the request named the person by it. */
  phone?: string;
  /** Id or username, if the request named the person by `user`. */
  user?: string;
  /** Username, if the request named the person by it. */
  username?: string;
}

/** The joined group, or the group that must approve first. */
export interface JoinedGroup extends Omit<Group, "created"> {
  /** Time when the account joined. `null` while pending. */
  created: Instant | null;
  /** True: an administrator must approve the account first. Until then `id` is empty, because the platform hides it. */
  pending: boolean;
}
