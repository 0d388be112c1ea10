/** Endpoints of sessions that are on record. */
const sessionActions: ReadonlySet<string> = new Set([
  "create-session",
  "reset-session",
  "delete-session",
  "submit-password",
  "submit-passkey",
  "confirm-passkey",
  "set-webhook",
]);

/** What a route (`telegram delete-session`, `admin drain-member`) is called on record: every call of operators is, of the others those that change a session for good. */
export function auditedAction(route: string): string | undefined {
  const [place = "", name = ""] = route.split(" ");
  return place === "admin" || sessionActions.has(name) ? name : undefined;
}
