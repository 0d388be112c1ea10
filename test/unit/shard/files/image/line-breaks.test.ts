import { expect, it } from "vitest";
import { withWordBreaks } from "../../../../../shard/files/image/line-breaks.js";

/** Makes breaks visible: `|` where a line may break, `~` where it may not. */
const shown = (text: string): string => withWordBreaks(text).replaceAll("\u200b", "|").replaceAll("\u2060", "~");

it.each([
  ["Thai", "ภาษาไทยเป็นภาษา", "ภาษา|ไทย|เป็น|ภาษา"],
  ["Lao", "ພາສາລາວເປັນພາສາ", "ພາສາ|ລາວ|ເປັນ|ພາສາ"],
  ["Khmer", "ជាភាសាកំណើត", "ជា|ភាសា|កំណើត"],
  ["Burmese", "မြန်မာဘာသာစကားသည်", "မြန်မာဘာသာ|စကား|သည်"],
  ["Korean", "대한 민국의", "대~한 민~국~의"],
  ["Thai among others", "abc ไทยนี้ 你好 def", "abc ไทย|นี้ 你好 def"],
])("%s breaks between words", (_, text, wanted) => {
  expect(shown(text)).toBe(wanted);
});
