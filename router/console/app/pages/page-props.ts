/** Props of a page: the parameters of its path and query. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}
