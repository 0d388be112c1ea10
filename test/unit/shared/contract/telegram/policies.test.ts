import { describe, expect, it } from "vitest";
import { deadlineError } from "../../../../../shared/contract/deadline-error.js";
import { policies } from "../../../../../shared/contract/policies.js";

describe("a command past its deadline", () => {
  it.each<[keyof typeof policies.telegram, string]>([
    ["send-message", "send timeout after 240s"],
    ["post-status", "send timeout after 240s"],
    ["send-typing", "session not connected"],
    ["list-groups", "session not connected"],
    ["reset-session", "internal server error"],
  ])("%s: 500 %s", (command, message) => {
    expect(deadlineError(command, policies.telegram[command])).toMatchObject({ status: 500, message });
  });
});
