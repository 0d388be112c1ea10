import { Button } from "./button.js";
import { Notice } from "./notice.js";
import type { Script } from "./use-script.js";
import { Loading } from "./view.js";

/** In the place of a page whose script is not here. */
export function ScriptView({ failed, retry }: Pick<Script<never>, "failed" | "retry">) {
  if (!failed) return <Loading />;
  return (
    <div class="page">
      <Notice kind="bad" title="The page did not load">
        <p>The gateway was not reached, or has another version by now: then load the console anew.</p>
        <Button onClick={() => retry()}>Try again</Button>
      </Notice>
    </div>
  );
}
