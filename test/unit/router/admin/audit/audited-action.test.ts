import { expect, it } from "vitest";
import { auditedAction } from "../../../../../router/admin/audit/audited-action.js";

it.each([
  ["telegram create-session", "create-session"],
  ["whatsapp create-session", "create-session"],
  ["telegram reset-session", "reset-session"],
  ["whatsapp delete-session", "delete-session"],
  ["telegram submit-password", "submit-password"],
  ["whatsapp submit-passkey", "submit-passkey"],
  ["whatsapp confirm-passkey", "confirm-passkey"],
  ["telegram set-webhook", "set-webhook"],
  ["admin drain-member", "drain-member"],
  ["admin list-members", "list-members"],
  ["admin what-comes", "what-comes"],
])("%s is on record as %s", (route, action) => {
  expect(auditedAction(route)).toBe(action);
});

it.each(["telegram get-session", "telegram send-message", "telegram get-media", "not-found", "admins list", ""])("%s is not", (route) => {
  expect(auditedAction(route)).toBeUndefined();
});
