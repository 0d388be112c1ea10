/** Variant B, "Group record". `id` starts with `-` for basic groups, `-100` for supergroups; `created` is ISO 8601. */
export interface Group {
  id: string;
  name: string;
  username: string;
  description: string;
  picture: string;
  created: string;
}

/** Variant B, "Group member record". */
export interface GroupMember {
  id: string;
  name: string;
  username: string;
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
