import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { ChannelChangeInput, NewChannelInput } from "../../../shared/contract/channel-change.js";
import { nothingToChange } from "../../../shared/contract/errors.js";
import type { Bytes, NotEmpty, Wording } from "../../../shared/contract/rules.js";
import { rejectUnknownFields } from "../../endpoint/unknown-fields.js";
import { orThrow } from "../../endpoint/validation.js";
import { parseClearable } from "../clearable-text.js";
import { type NewPictureForm, parseNewPicture, parsePictureChange, type PictureChangeForm } from "../picture-change.js";
import { requireAtMost } from "../text-length.js";

/** A channel that the account creates and owns. */
export interface NewChannelForm extends NewPictureForm {
  /** Name, at most 100 characters on WhatsApp and 128 on Telegram. */
  name: string & NotEmpty;
  /** Description, at most 2,048 characters on WhatsApp and 255 on Telegram. */
  description?: string;
}

/** New values of a channel that the account owns or manages. Absent fields stay as they are. */
export interface ChannelChangeForm extends PictureChangeForm {
  /** Name, at most 100 characters on WhatsApp and 128 on Telegram. */
  name?: string & NotEmpty;
  /** Description, at most 2,048 characters on WhatsApp and 255 on Telegram. An empty text removes it. */
  description?: string;
}

/** A channel that the account follows or leaves. */
export interface ChannelReferenceForm {
  /**
   * Channel id, or link of the channel, at most 256 bytes. On Telegram also the username of a public channel, and the invite link of a
   * private one.
   */
  channel: string & NotEmpty & Bytes<256>;
}

/** In characters. */
export interface ChannelLimits {
  readonly name: number;
  readonly description: number;
}

/** Parses POST /channel. */
export function parseNewChannelForm(body: unknown, limits: ChannelLimits, wording: Wording): NewChannelInput {
  rejectUnknownFields(body, fields);
  const { name } = orThrow(validateNew(withoutBlanks(body)), wording);
  requireAtMost("name", name, limits.name);
  const { description = "" } = parseClearable(body, "description", limits.description);
  return { name, description, ...parseNewPicture(body, wording) };
}

/** Parses the body of PATCH /channel/{channelId}: at least one field. */
export function parseChannelChangeForm(body: unknown, limits: ChannelLimits, wording: Wording): Omit<ChannelChangeInput, "channelId"> {
  rejectUnknownFields(body, fields);
  const { name } = orThrow(validateChange(withoutBlanks(body)), wording);
  requireAtMost("name", name, limits.name);
  const input = {
    ...(name !== undefined && { name }),
    ...parseClearable(body, "description", limits.description),
    ...parsePictureChange(body, wording),
  };
  if (Object.keys(input).length === 0) throw nothingToChange(fields);
  return input;
}

/** Parses `channel` of POST /channel/follow and /channel/leave. */
export function parseChannelReferenceForm(body: unknown, wording: Wording): ChannelReferenceForm {
  rejectUnknownFields(body, ["channel"]);
  return orThrow(validateReference(withoutBlanks(body)), wording);
}

const fields = ["name", "description", "picture"] as const satisfies readonly (keyof ChannelChangeForm)[];
const validateNew = typia.createValidate<Pick<NewChannelForm, "name">>();
const validateChange = typia.createValidate<Pick<ChannelChangeForm, "name">>();
const validateReference = typia.createValidate<ChannelReferenceForm>();
