import { Icon } from "./icon.js";

/** A picture that came inside of an answer, or the first letters of a name, or a symbol where there is no name. Addresses of other servers are not loaded: the page reaches nobody else. */
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
