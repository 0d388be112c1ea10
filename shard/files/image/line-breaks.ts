const wordBreak = "\u200b";
const wordJoiner = "\u2060";

// These scripts have no spaces, and the layout engine has no dictionary of them: it would break lines inside words.
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const segmenter = new Intl.Segmenter("th", { granularity: "word" });
// The rules allow a break between any two syllables, but Korean text is not broken there.
const betweenSyllables = /(?<=[가-힣])(?=[가-힣])/g;

/** Returns `text` with invisible characters that make its lines break between words, as readers expect. */
export function withWordBreaks(text: string): string {
  return text
    .replace(unspaced, (run) => Array.from(segmenter.segment(run), ({ segment }) => segment).join(wordBreak))
    .replace(betweenSyllables, wordJoiner);
}
