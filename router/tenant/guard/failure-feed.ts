import typia, { type tags } from "typia";
import { every } from "../../../shared/flow/every.js";
import { channels } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import type { CredentialGuard } from "./credential-guard.js";

export interface FailureFeedOptions {
  /** Id of this process's start. */
  readonly router: string;
  readonly guard: Pick<CredentialGuard, "takeFresh" | "add">;
  readonly writer: RedisClient;
  readonly subscriber: RedisClient;
}

interface Notice {
  router: string;
  failures: [key: string & tags.MaxLength<17>, count: number & tags.Type<"uint32">][] & tags.MaxItems<1000>;
}

const parse = typia.json.createIsParse<Notice>();
const everyMs = 500;

/** Shares wrong credentials between routers, at most twice a second. A lost message makes the other routers only more lenient. */
export class FailureFeed {
  private timer: NodeJS.Timeout | undefined;
  private readonly onMessage = (channel: string, message: string): void => {
    if (channel !== channels.wrongCredentials) return;
    const notice = parsed(message);
    if (notice !== undefined && notice.router !== this.options.router) this.options.guard.add(new Map(notice.failures));
  };

  constructor(private readonly options: FailureFeedOptions) {}

  async start(): Promise<void> {
    const { subscriber } = this.options;
    subscriber.on("message", this.onMessage);
    await subscriber.subscribe(channels.wrongCredentials);
    this.timer = every(everyMs, () => this.publish());
  }

  stop(): void {
    clearInterval(this.timer);
    this.options.subscriber.off("message", this.onMessage);
  }

  private publish(): void {
    const { guard, router, writer } = this.options;
    const failures = guard.takeFresh();
    if (failures.size === 0) return;
    // Without Redis each router counts for itself.
    writer.publish(channels.wrongCredentials, JSON.stringify({ router, failures: [...failures] })).catch(() => undefined);
  }
}

function parsed(message: string): Notice | undefined {
  try {
    return parse(message) ?? undefined;
  } catch {
    return undefined; // not JSON
  }
}
