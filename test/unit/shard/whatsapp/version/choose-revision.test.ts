import { expect, it } from "vitest";
import { chooseRevision } from "../../../../../shard/whatsapp/version/choose-revision.js";

it.each<[string, { library: number; found: number; refused: number }, number]>([
  ["the library's while nothing is known", { library: 10, found: 0, refused: 0 }, 10],
  ["the library's although a newer one is known", { library: 10, found: 20, refused: 0 }, 10],
  ["the newest once the library's is refused", { library: 10, found: 20, refused: 10 }, 20],
  ["the newest although that is refused too", { library: 10, found: 20, refused: 20 }, 20],
  ["the library's when it is refused and nothing newer is known", { library: 10, found: 0, refused: 10 }, 10],
  ["the library's when what is known is older", { library: 10, found: 5, refused: 10 }, 10],
  ["the library's after an update past what was refused", { library: 30, found: 20, refused: 20 }, 30],
])("%s", (_, revisions, spoken) => {
  expect(chooseRevision(revisions)).toBe(spoken);
});
