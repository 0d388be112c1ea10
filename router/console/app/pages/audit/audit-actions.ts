import { actionText } from "./audit-texts.js";

/** Actions that the log can be filtered by: everything that changes something or was rejected. Reads have a switch of their own. */
export const filteredActions = [
  "change-key",
  "change-sessions",
  "change-tenant",
  "confirm-passkey",
  "create-key",
  "create-session",
  "create-tenant",
  "delete-key",
  "delete-session",
  "delete-tenant",
  "drain-member",
  "expire-session",
  "failed-authentication",
  "move-session",
  "pin-slot",
  "refused-call",
  "remove-proxy",
  "replay-dead-letters",
  "reset-session",
  "restart-session",
  "retry-webhook",
  "rotate-keyring",
  "send-test-event",
  "set-proxy",
  "set-webhook",
  "sign-in",
  "submit-passkey",
  "submit-password",
  "take-over",
  "undelete-session",
  "undrain-member",
  "unpin-slot",
] as const;

/** Choices of the filter, by their texts. Pure. */
export const actionOptions: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "All" },
  ...filteredActions.map((value) => ({ value, label: actionText(value) })).sort((a, b) => a.label.localeCompare(b.label, "en")),
];
