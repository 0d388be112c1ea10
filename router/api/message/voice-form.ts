import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { VoiceContent } from "../../../shared/contract/message-content.js";
import type { Wording } from "../../../shared/contract/rules.js";
import { rejectUnknownInside } from "../../endpoint/unknown-fields.js";
import { orThrow } from "../../endpoint/validation.js";
import { toAudio, type VoiceFileForm, voiceFileFields } from "./media-forms.js";
import { withoutLists } from "./without-lists.js";

export interface VoiceForm {
  /** Ogg file with Opus. It arrives as a voice message. */
  audio: VoiceFileForm;
}

export const voiceFields = ["audio"] as const satisfies readonly (keyof VoiceForm)[];

/** Parses the file of POST /message/voice by the rules of `audio` of POST /message. */
export function parseVoiceContent(body: unknown, wording: Wording): VoiceContent {
  rejectUnknownInside(body, "audio", voiceFileFields);
  return { audio: toAudio(orThrow(validate(withoutLists(withoutBlanks(body))), wording).audio) };
}

const validate = typia.createValidate<VoiceForm>();
