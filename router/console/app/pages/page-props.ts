/** What a page is given: the parts of its path, and what stands behind the question mark. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}
