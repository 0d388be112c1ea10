import type { Pages } from "../api/use-pages.js";
import { Button } from "./button.js";
import { countText } from "./count-text.js";
import { numberText } from "./number-text.js";
import { FailureNotice } from "./notice.js";
import { Loading } from "./view.js";

export interface PageFootProps<Row> {
  readonly pages: Pages<Row>;
  readonly nouns: readonly [one: string, many: string];
  /** Number of rows that the page's own filter shows; absent without one. */
  readonly found?: number;
}

/** Below a list: what went wrong, that it is being read, or the way to its next page. */
export function PageFoot<Row>({ pages, nouns, found }: PageFootProps<Row>) {
  if (pages.failure !== undefined) return <FailureNotice failure={pages.failure} doing={`load ${nouns[1]}`} onRetry={pages.reload} />;
  if (pages.loading) return <Loading />;
  return (
    <p class="page-foot">
      <span>
        {found !== undefined && `${numberText(found)} of `}
        {countText(pages.rows.length, nouns, pages.hasMore)}
      </span>
      {pages.hasMore && <Button onClick={() => pages.more()}>Load more</Button>}
    </p>
  );
}
