import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { channels, keys } from "../../../../shared/redis/keys.js";

const page = readFileSync(resolve(import.meta.dirname, "../../../../shared/redis/README.md"), "utf8");
const [ofKeys = "", ofChannels = ""] = page.split("## Channels");

/** Returns the names in backticks in the first column of the tables, without the name of the group, which is no key. */
function namesOn(text: string): string[] {
  const firsts = text.split("\n").flatMap((line) => (/^\| `/.test(line) ? [line.split("|")[1] ?? ""] : []));
  return firsts.flatMap((first) => [...first.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

it("are all on their page, and nothing else is", () => {
  expect([...namesOn(ofKeys), "commandGroup"].sort()).toEqual(Object.keys(keys).sort());
  expect(ofKeys).toContain("(`commandGroup`)");
  expect(namesOn(ofChannels).sort()).toEqual(Object.keys(channels).sort());
});

it.each(Object.entries(channels))("the channel %s is shown with its text", (name, text) => {
  expect(ofChannels).toContain(`| \`${name}\` | \`${text}\` |`);
});
