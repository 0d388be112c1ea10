import { AsyncResource } from "node:async_hooks";
import { SessionCipher } from "libsignal";

type Job = () => Promise<unknown>;

/**
 * Runs each job of libsignal in the async context of its caller. The library queues jobs by the other side's address for the whole process,
 * so one account's job ran in another account's transaction, and its keys were stored apart from its events. Process-wide, once.
 */
export function keepCallersContext(): void {
  if (installed) return;
  installed = true;
  const prototype = SessionCipher.prototype as unknown as { queueJob: (this: unknown, job: Job) => Promise<unknown> };
  const { queueJob } = prototype;
  prototype.queueJob = function (job) {
    return queueJob.call(this, AsyncResource.bind(job));
  };
}

let installed = false;
