import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Bytes, NotEmpty } from "../../shared/contract/rules.js";
import { isGroupId } from "../../shared/contract/whatsapp/address.js";
import * as errors from "../../shared/contract/whatsapp/errors.js";
import type { GroupReference } from "../../shared/contract/whatsapp/group-change.js";
import type { PersonRecipient } from "../../shared/contract/whatsapp/message.js";
import { groupParsers } from "../api/group/group-parsers.js";
import type { PersonForm } from "../api/group/members-form.js";
import { orThrow } from "../endpoint/validation.js";
import { parsePerson, personFields, type Person } from "./recipient.js";
import { wording } from "./wording.js";

export interface GroupOfForm {
  /** Group id, ends in `@g.us`. */
  group: string & NotEmpty & Bytes<256>;
}

export interface MembersForm extends GroupOfForm {
  /** 1 to 256 people. */
  members: Person[];
}

export interface MembersQuery extends GroupOfForm {
  /** Phone numbers in international format. Repeat the parameter for several people. */
  phone?: string[];
  /** Ids of people. Repeat the parameter for several people, 256 in all. */
  user?: string[];
}

export const personForm: PersonForm<PersonRecipient> = { fields: personFields, parse: parsePerson };

const validate = typia.createValidate<GroupOfForm>();

function parseGroup(values: unknown): GroupReference {
  const { group } = orThrow(validate(withoutBlanks(values)), wording);
  if (!isGroupId(group)) throw errors.invalidGroup();
  return { group };
}

export const parsers = groupParsers<GroupReference, PersonRecipient>(parseGroup, personForm);
