const wordBreak = "\u200b";
const wordJoiner = "\u2060";

// Written without spaces, and the layout engine has no dictionary of them: it would break between any two characters, and tear vowels from their letters.
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const words = new Intl.Segmenter("th", { granularity: "word" });
// A line may break between any two syllables by the letter of the rules, and no Korean breaks it there.
const betweenSyllables = /(?<=[가-힣])(?=[가-힣])/g;

/** `text` with the invisible characters that let its lines break where its readers expect it: between words. */
export function withWordBreaks(text: string): string {
  return text
    .replace(unspaced, (run) => Array.from(words.segment(run), ({ segment }) => segment).join(wordBreak))
    .replace(betweenSyllables, wordJoiner);
}
