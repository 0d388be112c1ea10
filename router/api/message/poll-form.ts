import typia from "typia";
import { ApiError } from "../../../shared/contract/api-error.js";
import { isBlank, withoutBlanks } from "../../../shared/contract/blank.js";
import { invalidMultiple, invalidOption, invalidOptionCount } from "../../../shared/contract/errors.js";
import type { PollContent } from "../../../shared/contract/message-content.js";
import { mustBeAtMostCharacters, type NotEmpty, type Wording } from "../../../shared/contract/rules.js";
import { orThrow } from "../../endpoint/validation.js";

export interface PollForm {
  /** Question, at most 255 characters. */
  question: string & NotEmpty;
  /** 2 to 12 different texts, each of at most 100 characters. */
  options: string[];
  /** True if people may choose several options. Default: false. */
  multiple?: boolean;
}

export const pollFields = ["question", "options", "multiple"] as const satisfies readonly (keyof PollForm)[];

/** Parses POST /message/poll after its recipient: `question`, `options`, `multiple`. The limits are those of both platforms. */
export function parsePollContent(body: unknown, wording: Wording): PollContent {
  const written = withoutBlanks(body);
  const { question } = orThrow(validateQuestion(written), wording);
  if (Array.from(question).length > questionMax) throw new ApiError(400, mustBeAtMostCharacters("question", questionMax));
  const { options, multiple = false } = written as { readonly options?: unknown; readonly multiple?: unknown };
  if (!Array.isArray(options) || options.length < optionsMin || options.length > optionsMax) throw invalidOptionCount();
  const texts = options.filter(isOption);
  if (new Set(texts).size < options.length) throw invalidOption();
  if (typeof multiple !== "boolean") throw invalidMultiple();
  return { question, options: texts, multiple };
}

const validateQuestion = typia.createValidate<Pick<PollForm, "question">>();
const questionMax = 255;
const optionsMin = 2;
const optionsMax = 12;
const optionMax = 100;

function isOption(option: unknown): option is string {
  return typeof option === "string" && !isBlank(option) && Array.from(option).length <= optionMax;
}
