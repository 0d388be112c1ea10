/** The one-time code of a link that `npm start` prints, `#code=…`: behind the `#`, so that no server and no log is ever sent it. */
export function codeOf(hash: string): string | undefined {
  return /^#code=([A-Za-z0-9_-]{32})$/.exec(hash)?.[1];
}
