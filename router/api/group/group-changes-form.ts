import typia from "typia";
import { ApiError } from "../../../shared/contract/api-error.js";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import { nothingToChange } from "../../../shared/contract/errors.js";
import type { GroupChanges, GroupSettings } from "../../../shared/contract/group-change.js";
import { mustBeBoolean, mustBeInteger, mustBeObject, type NotEmpty, type Wording } from "../../../shared/contract/rules.js";
import { rejectUnknownInside } from "../../endpoint/unknown-fields.js";
import { orThrow } from "../../endpoint/validation.js";
import { parseClearable } from "../clearable-text.js";
import { parsePictureChange, type PictureChangeForm } from "../picture-change.js";
import { requireAtMost } from "../text-length.js";

export interface GroupChangesForm extends PictureChangeForm {
  /** New name, at most 100 characters on WhatsApp and 128 on Telegram. */
  name?: string & NotEmpty;
  /** New description, at most 2,048 characters on WhatsApp and 255 on Telegram. An empty text removes it. */
  description?: string;
  /** Settings to change. Absent ones stay unchanged. */
  settings?: GroupSettingsForm;
}

export interface GroupSettingsForm {
  /** True: only administrators may write. */
  announce?: boolean;
  /** True: only administrators may change the name, the description and the picture. */
  locked?: boolean;
  /** True: administrators must approve people who join. Telegram has this only for public supergroups and those of a channel. */
  approval?: boolean;
  /** True: all members may add people. False: only administrators. */
  memberAdd?: boolean;
  /** Seconds after which new messages disappear. 0: never. WhatsApp accepts 86,400, 604,800 and 7,776,000. */
  ephemeral?: number;
}

/** In characters. */
export interface GroupLimits {
  readonly name: number;
  readonly description: number;
}

export const groupChangesFields = ["name", "description", "picture", "settings"] as const satisfies readonly (keyof GroupChangesForm)[];

/** Parses the changes of PATCH /group/{groupId}: at least one. */
export function parseGroupChanges(body: unknown, limits: GroupLimits, wording: Wording): GroupChanges {
  const written = withoutBlanks(body);
  const { name } = orThrow(validateName(written), wording);
  requireAtMost("name", name, limits.name);
  rejectUnknownInside(body, "settings", settingsFields);
  const settings = parseSettings((written as { readonly settings?: unknown }).settings);
  const changes = {
    ...(name !== undefined && { name }),
    ...parseClearable(body, "description", limits.description),
    ...parsePictureChange(body, wording),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  if (Object.keys(changes).length === 0) throw nothingToChange(groupChangesFields);
  return changes;
}

const validateName = typia.createValidate<Pick<GroupChangesForm, "name">>();
const flags = ["announce", "locked", "approval", "memberAdd"] as const satisfies readonly (keyof GroupSettingsForm)[];
const settingsFields = [...flags, "ephemeral"] as const satisfies readonly (keyof GroupSettingsForm)[];

function parseSettings(written: unknown = {}): GroupSettings {
  if (typeof written !== "object" || written === null || Array.isArray(written)) throw new ApiError(400, mustBeObject("settings"));
  const given = written as Record<string, unknown>;
  const sentences = flags
    .filter((flag) => given[flag] !== undefined && typeof given[flag] !== "boolean")
    .map((flag) => mustBeBoolean(`settings.${flag}`));
  const { ephemeral } = given;
  if (ephemeral !== undefined && !isSeconds(ephemeral)) sentences.push(mustBeInteger("settings.ephemeral", 0, ephemeralMax));
  if (sentences.length > 0) throw new ApiError(400, sentences.join("\n"));
  return given;
}

function isSeconds(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= ephemeralMax;
}

/** One year, which is Telegram's longest time. */
const ephemeralMax = 31_536_000;
