import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeUsers } from "./redis/make-users.mjs";
import { passwordName, users, usersOfReplicas } from "./redis/users.mjs";

// Writes settings for compose.yaml with fresh keys (`node deploy/manifests/make-env.mjs [file]`), and the users of Redis beside it. It
// never overwrites a file: its keys decrypt the stored logins.
const file = process.argv[2] ?? fileURLToPath(new URL(".env", import.meta.url));
if (existsSync(file)) {
  console.error(`${file} is there already, and its keys open the stored logins: nothing was changed.`);
  process.exit(1);
}
const ring = () => `a:${randomBytes(32).toString("base64")}`;
const secret = () => randomBytes(24).toString("hex");
const lines = [
  "# Encrypts the stored logins, and signs media links. Keep a copy where the backups of Redis are not.",
  `CRED_KEYS=${ring()}`,
  `MEDIA_KEYS=${ring()}`,
  "# role:key,…: who may create sessions, and operate.",
  `API_KEYS=admin:${secret()}`,
  "# Of Redis: yours, which may do everything, and one for each kind of process. redis-users.acl is made of them (deploy/manifests/redis/make-users.mjs).",
  ...["default", ...Object.keys(users)]
    .filter((user) => !usersOfReplicas.includes(user))
    .map((user) => `${passwordName(user)}=${secret()}`),
  `GRAFANA_PASSWORD=${secret()}`,
  "# Of your application, from my.telegram.org. Leave both empty to serve WhatsApp alone.",
  "TELEGRAM_API_ID=",
  "TELEGRAM_API_HASH=",
  "# Where callers reach the routers, without a path; media links begin with it.",
  "PUBLIC_URL=http://127.0.0.1:8080",
  "# Behind a balancer: the address or network that it connects from, 10.0.0.0/8,…; else all its callers share the limits of one address.",
  "# TRUSTED_PROXIES=",
  "# Pages of other origins that may use the API from a browser, https://app.example.com,…; none until it is filled in.",
  "# CORS_ORIGINS=",
];
writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
const acl = makeUsers(file, usersOfReplicas);
console.log(`${file} and ${acl} written; for Telegram fill in TELEGRAM_API_ID and TELEGRAM_API_HASH.`);
