const whole: Readonly<Record<string, string>> = {
  "failed-authentication": "Failed sign-in",
  "list-audit": "Viewed audit log",
  "list-members": "Viewed cluster",
  "refused-call": "Rejected request",
  "take-over": "Took over slots",
  "expire-session": "Session expired",
  "get-self": "Checked API key",
  "stream-events": "Watched live events",
  "change-sessions": "Ran bulk action",
  "confirm-passkey": "Confirmed passkey",
  "sign-in": "Signed in",
};

const verbs: Readonly<Record<string, string>> = {
  change: "Changed",
  create: "Created",
  delete: "Deleted",
  drain: "Drained",
  get: "Viewed",
  list: "Listed",
  move: "Moved",
  pin: "Pinned",
  post: "Posted",
  remove: "Removed",
  replay: "Replayed",
  reset: "Reset",
  restart: "Restarted",
  retry: "Retried",
  rotate: "Rotated",
  send: "Sent",
  set: "Set",
  submit: "Submitted",
  undelete: "Restored",
  undrain: "Undrained",
  unpin: "Unpinned",
};

const nouns: Readonly<Record<string, string>> = {
  "dead-letters": "failed events",
  key: "API key",
  keyring: "encryption keys",
  keys: "API keys",
  member: "shard",
};

/** Returns the action of an audit row in words: `Drained shard` for `drain-member`. Unknown ones stay as they are. Pure. */
export function actionText(what: string): string {
  const [, verb = "", noun = ""] = /^([a-z]+)-(.+)$/.exec(what) ?? [];
  const past = verbs[verb];
  return whole[what] ?? (past === undefined ? what : `${past} ${nouns[noun] ?? noun.replaceAll("-", " ")}`);
}

const actors: Readonly<Record<string, string>> = {
  session: "Session secret",
  local: "This machine",
  unknown: "Unknown",
  cluster: "Cluster",
};

/** Returns who acted, of a key without a label its id: `API_KEYS #1` for `configured-1`. Pure. */
export function actorText(who: string): string {
  const [, position] = /^configured-(\d+)$/.exec(who) ?? [];
  return position === undefined ? (actors[who] ?? who) : `API_KEYS\u00a0#${position}`;
}
