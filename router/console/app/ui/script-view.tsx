import { Button } from "./button.js";
import { Notice } from "./notice.js";
import type { Script } from "./use-script.js";
import { Loading } from "./view.js";

/** In the place of a page whose script is not here. */
export function ScriptView({ failed, retry }: Pick<Script<never>, "failed" | "retry">) {
  if (!failed) return <Loading />;
  return (
    <div class="page">
      <Notice kind="bad" title="Couldn't load this page">
        <p>The gateway is unreachable or was just updated. Reload to get the latest version.</p>
        <Button onClick={() => retry()}>Try again</Button>
      </Notice>
    </div>
  );
}
