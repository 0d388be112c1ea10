import { Notice } from "./notice.js";
import { Loading } from "./view.js";

/** In the place of a page whose script is not here. */
export function ScriptView({ failed }: { failed: boolean }) {
  if (!failed) return <Loading />;
  return (
    <div class="page">
      <Notice kind="bad" title="The page did not load">
        The gateway may have another version by now: load the console anew.
      </Notice>
    </div>
  );
}
