import type { MemberVerdict } from "../group-change.js";
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
  /** Id of the person, if the request named the person by it. */
  user?: string;
}

/** The joined group, or the group that must approve first. */
export interface JoinedGroup extends Group {
  /** True: an administrator must approve the account first. `picture` is empty until then. */
  pending: boolean;
}
