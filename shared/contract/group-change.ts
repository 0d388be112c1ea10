import type { Count } from "./plain-values.js";

/** Settings of a group. Absent ones stay unchanged. */
export interface GroupSettings {
  /** True: only administrators may write. */
  announce?: boolean;
  /** True: only administrators may change the name, the description and the picture. */
  locked?: boolean;
  /** True: administrators must approve people who join by the invite link. */
  approval?: boolean;
  /** True: all members may add people. False: only administrators. */
  memberAdd?: boolean;
  /** Seconds after which new messages disappear. 0: never. */
  ephemeral?: number;
}

/** PATCH /group/{groupId}, after validation. At least one field is present. */
export interface GroupChanges {
  name?: string;
  /** Empty: removes the description. */
  description?: string;
  /** URL of a picture. Empty: removes the picture. */
  picture?: string;
  settings?: GroupSettings;
}

/** PATCH /group/{groupId}, after validation. */
export interface EditGroupInput extends GroupChanges {
  groupId: string;
}

/** The platform's response about one person. */
export interface MemberVerdict {
  /** 200 if the change was made, otherwise the platform's code. */
  code: Count;
  /** The platform's refusal in words, with its code. Empty if the change was made. */
  reason: string;
}

/** A link by which people join a group. */
export interface InviteLink {
  /** Invite link of the group. */
  link: string;
}

/** The group that the account left. */
export interface LeftGroup {
  /** Id of the group. */
  id: string;
}

/** POST /group/join, after validation: an invite link, or the code in it. */
export interface JoinInput {
  link: string;
}

/** People in one call about members of a group. */
export const membersPerCallMax = 256;
