/** Variant A, "Group record". `picture` is a URL; `created` is ISO 8601 or null. */
export interface Group {
  id: string;
  name: string;
  description: string;
  picture: string;
  created: string | null;
}

/** Variant A, "Group member record". Name and phone are both empty for a hidden member who is not in the address book. */
export interface GroupMember {
  id: string;
  name: string;
  phone: string;
}

export interface GroupQuery {
  groupId: string;
}
