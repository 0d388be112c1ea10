import { Icon } from "./icon.js";

/** Shows an embedded picture, the initials of the name, or a symbol. Never loads a picture from another server. */
export function Avatar({ name, picture = "" }: { name: string; picture?: string }) {
  if (picture.startsWith("data:image/")) return <img class="avatar" src={picture} alt="" />;
  return (
    <span class="avatar letters" aria-hidden="true">
      {lettersOf(name) || <Icon name="person" />}
    </span>
  );
}

function lettersOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const first = (word = ""): string => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? "";
  return (first(words[0]) + (words.length > 1 ? first(words.at(-1)) : "")).toUpperCase();
}
