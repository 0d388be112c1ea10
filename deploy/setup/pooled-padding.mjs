const generics = "/node_modules/@whiskeysockets/baileys/lib/Utils/generics.js";
const asked = "const pad = randomBytes(1);";

/**
 * Baileys asks the system's generator for one byte for each copy of a message that it encrypts: for a status to 5,000 contacts that is a third of a turn of 90 ms. In a program it takes
 * one of those that Node keeps ready, which are as random. Of another module, or another padding, the text is left as it is.
 */
export function withPooledPadding(path, text) {
  if (!path.endsWith(generics) || !text.includes(asked)) return text;
  return `import { randomInt as $randomInt } from "node:crypto";\n${text.replace(asked, () => "const pad = [$randomInt(256)];")}`;
}
