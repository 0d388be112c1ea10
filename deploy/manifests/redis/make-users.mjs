import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { passwordName, users, usersFile } from "./users.mjs";

/**
 * Writes redis-users.acl beside the settings of compose.yaml, with the passwords from those settings; run it again after an update.
 * Missing passwords are added to the settings. `without` excludes users.
 */
export function makeUsers(file, without = []) {
  const read = () => new Map([...readFileSync(file, "utf8").matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]));
  const names = ["default", ...Object.keys(users)].filter((user) => !without.includes(user)).map(passwordName);
  const missing = names.filter((name) => !read().has(name));
  if (missing.length > 0) appendFileSync(file, `\n${missing.map((name) => `${name}=${randomBytes(24).toString("hex")}\n`).join("")}`);
  const passwords = read();
  const target = join(dirname(file), "redis-users.acl");
  // The file contains hashes of long random passwords, so Redis may read it as another user of its container.
  writeFileSync(
    target,
    usersFile((user) => passwords.get(passwordName(user)) ?? "", without),
    { mode: 0o644 },
  );
  return target;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? fileURLToPath(new URL("../.env", import.meta.url));
  if (!existsSync(file)) {
    console.error(`${file} is not there: run node deploy/manifests/make-env.mjs`);
    process.exit(1);
  }
  console.log(`${makeUsers(file)} written; Redis reads it when it starts, or by ACL LOAD.`);
}
