import type { Pages } from "../api/use-pages.js";
import { Button } from "./button.js";
import { countText } from "./count-text.js";
import { FailureNotice } from "./notice.js";
import { Loading } from "./view.js";

/** Below a list: what went wrong, that it is being read, or the way to its next page. */
export function PageFoot<Row>({ pages, nouns }: { pages: Pages<Row>; nouns: readonly [one: string, many: string] }) {
  if (pages.failure !== undefined) return <FailureNotice failure={pages.failure} doing={`load ${nouns[1]}`} onRetry={pages.reload} />;
  if (pages.loading) return <Loading />;
  return (
    <p class="page-foot">
      <span>{countText(pages.rows.length, nouns, pages.hasMore)}</span>
      {pages.hasMore && <Button onClick={() => pages.more()}>Load more</Button>}
    </p>
  );
}
