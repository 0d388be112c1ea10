import { may } from "../../sign-in/who.js";
import { Button } from "../../ui/button.js";
import type { Loaded } from "../../ui/use-loaded.js";

/** Refresh button for other roles, because only admins get live events of members. */
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
