import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import { parseModes, type ParseMode } from "../../shared/contract/telegram/message.js";
import { orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

export interface Formatted {
  /**
   * Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
   * plain text.
   */
  parseMode?: ParseMode;
}

/** Parses `parseMode`, which may be absent. */
export function readParseMode(body: unknown): Formatted {
  const { parseMode } = orThrow(validate(withoutBlanks(body)), modeWording);
  return parseMode === undefined ? {} : { parseMode };
}

const modeWording = { ...wording, oneOf: { parseMode: parseModes } };
const validate = typia.createValidate<Formatted>();
