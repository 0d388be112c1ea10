import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import { nothingToChange } from "../../../shared/contract/errors.js";
import type { ProfileInput } from "../../../shared/contract/profile.js";
import type { NotEmpty, Wording } from "../../../shared/contract/rules.js";
import { rejectUnknownFields } from "../../endpoint/unknown-fields.js";
import { orThrow } from "../../endpoint/validation.js";
import { parseClearable } from "../clearable-text.js";
import { parsePictureChange, type PictureChangeForm } from "../picture-change.js";
import { requireAtMost } from "../text-length.js";

/** The account's own profile, as other people see it. Absent fields stay as they are. */
export interface ProfileForm extends PictureChangeForm {
  /**
   * Name, at most 25 characters on WhatsApp and 64 on Telegram. On Telegram the text up to the first space is the first name, and the rest
   * is the last name.
   */
  name?: string & NotEmpty;
  /** Text about the account, at most 139 characters on WhatsApp and 70 on Telegram. An empty text removes it. */
  about?: string;
}

/** In characters. */
export interface ProfileLimits {
  readonly name: number;
  readonly about: number;
}

/** Parses PATCH /profile: at least one field, in the order of the form. */
export function parseProfileForm(body: unknown, limits: ProfileLimits, wording: Wording): ProfileInput {
  rejectUnknownFields(body, fields);
  const { name } = parseName(body, wording);
  requireAtMost("name", name, limits.name);
  const input = {
    ...(name !== undefined && { name }),
    ...parseClearable(body, "about", limits.about),
    ...parsePictureChange(body, wording),
  };
  if (Object.keys(input).length === 0) throw nothingToChange(fields);
  return input;
}

function parseName(body: unknown, wording: Wording): Pick<ProfileForm, "name"> {
  return orThrow(validateName(withoutBlanks(body)), wording);
}

const fields = ["name", "about", "picture"] as const satisfies readonly (keyof ProfileForm)[];
const validateName = typia.createValidate<Pick<ProfileForm, "name">>();
