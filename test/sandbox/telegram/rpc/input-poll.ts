import type { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { StoredPoll } from "../world/poll.js";

/** Limits in characters and in numbers. The question's limit is TDLib's (MessageContent.cpp). */
const maxQuestion = 255;
const maxAnswer = 100;
const maxAnswers = 12;

export function readPoll({ poll, correctAnswers }: Api.InputMediaPoll): Omit<StoredPoll, "id" | "closed" | "votes"> {
  const question = poll.question.text.trim();
  if (question === "" || [...question].length > maxQuestion) throw new RpcFault(400, "POLL_QUESTION_INVALID");
  if (poll.answers.length < 2 || poll.answers.length > maxAnswers) throw new RpcFault(400, "POLL_ANSWERS_INVALID");
  const answers = poll.answers.map(({ text: { text }, option }, at) => {
    if (text.trim() === "" || [...text].length > maxAnswer) throw new RpcFault(400, "POLL_ANSWER_INVALID");
    return { text, option: optionOf(option, at) };
  });
  if (new Set(answers.map(({ option }) => option)).size < answers.length) throw new RpcFault(400, "POLL_OPTION_DUPLICATE");
  const base = { question, answers, multiple: poll.multipleChoice === true, publicVoters: poll.publicVoters === true };
  if (poll.quiz !== true) return base;
  if (base.multiple) throw new RpcFault(400, "QUIZ_MULTIPLE_INVALID");
  return { ...base, correct: correctOf(correctAnswers ?? [], answers) };
}

/** Since layer 224 the platform assigns the options' ids. */
function optionOf(option: unknown, at: number): string {
  return (Buffer.isBuffer(option) ? option : Buffer.from([48 + at])).toString("base64");
}

/** Since layer 224 the correct option is given by its index, before by its id. */
function correctOf(given: readonly unknown[], answers: StoredPoll["answers"]): number {
  const [correct, ...others] = given;
  if (correct === undefined) throw new RpcFault(400, "QUIZ_CORRECT_ANSWERS_EMPTY");
  if (others.length > 0) throw new RpcFault(400, "QUIZ_CORRECT_ANSWERS_TOO_MUCH");
  const at = Buffer.isBuffer(correct) ? answers.findIndex(({ option }) => option === correct.toString("base64")) : Number(correct);
  if (answers[at] === undefined) throw new RpcFault(400, "QUIZ_CORRECT_ANSWER_INVALID");
  return at;
}
