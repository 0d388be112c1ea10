import type { Opened } from "../shared/process/lifecycle.js";
import type { RouterContext } from "./context.js";
import { CredentialGuard } from "./tenant/guard/credential-guard.js";
import { FailureFeed } from "./tenant/guard/failure-feed.js";
import { CallerAddresses } from "./http/caller-addresses.js";

export interface Guard extends Opened {
  readonly guard: CredentialGuard;
}

/** Slows down callers who guess keys and secrets, over all routers. */
export function openGuard({ settings, redis, metrics, life }: RouterContext): Guard {
  const { writer, subscriber } = redis;
  const guard = new CredentialGuard({
    perMinute: settings.failedAuthPerMinute,
    callers: new CallerAddresses(settings.http.trustedProxies),
    metrics,
  });
  const failures = new FailureFeed({ router: life, guard, writer, subscriber });
  return { guard, lifecycle: [["failure feed", failures]] };
}
