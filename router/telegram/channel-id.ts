import typia from "typia";
import type { Bytes, Parameter } from "../../shared/contract/rules.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

/** `channelId` of GET /channel/{channelId}: an id or the username of a public channel. */
export function parseChannelPath({ params }: HttpInput): ChannelForm {
  const { channelId } = orThrow(validate(params), wording);
  return { channelId };
}

export interface ChannelForm {
  channelId: string & Parameter & Bytes<256>;
}

const validate = typia.createValidate<ChannelForm>();
