import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Bytes, NotEmpty } from "../../shared/contract/rules.js";
import { parseChatReference } from "../../shared/contract/telegram/chat-reference.js";
import type { GroupReference } from "../../shared/contract/telegram/group-change.js";
import type { PersonRecipient } from "../../shared/contract/telegram/message.js";
import { groupParsers } from "../api/group/group-parsers.js";
import type { PersonForm } from "../api/group/members-form.js";
import { numberAsText } from "../api/message/number-as-text.js";
import { orThrow } from "../endpoint/validation.js";
import { parsePerson, personFields, type PersonFields } from "./recipient.js";
import { wording } from "./wording.js";

export interface GroupOfForm {
  /** Group id (starts with `-`) or username of a public group, at most 256 bytes. */
  group: string & NotEmpty & Bytes<256>;
}

export interface MembersForm extends GroupOfForm {
  /** 1 to 256 people. */
  members: PersonFields[];
}

export interface MembersQuery extends GroupOfForm {
  /** Ids of people. Repeat the parameter for several people. */
  user?: string[];
  /** Usernames. Repeat the parameter for several people. */
  username?: string[];
  /** Phone numbers in international format. Repeat the parameter for several people, 256 in all. */
  phone?: string[];
}

export const personForm: PersonForm<PersonRecipient> = { fields: personFields, parse: parsePerson };

const validate = typia.createValidate<GroupOfForm>();

/** Rejects a malformed id or username here, although the shard resolves it. */
function parseGroup(values: unknown): GroupReference {
  const { group } = Object(withoutBlanks(values)) as { readonly group?: unknown };
  const form = orThrow(validate({ group: numberAsText(group) }), wording);
  parseChatReference(form.group);
  return { group: form.group };
}

export const parsers = groupParsers<GroupReference, PersonRecipient>(parseGroup, personForm);
