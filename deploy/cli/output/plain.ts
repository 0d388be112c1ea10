/** A text that others wrote, such as an account's name, on one line and without what a terminal takes for a command. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ");
}
