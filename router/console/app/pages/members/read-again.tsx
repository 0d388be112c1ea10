import { may } from "../../sign-in/who.js";
import { Button } from "../../ui/button.js";
import type { Loaded } from "../../ui/use-loaded.js";

/** Of members only admins are told live: the others ask. */
export function ReadAgain<T>({ of }: { of: Loaded<T> }) {
  if (may("administer")) return null;
  return (
    <div class="actions">
      <Button icon="refresh" busy={of.loading} onClick={() => of.reload()}>
        Refresh
      </Button>
    </div>
  );
}
