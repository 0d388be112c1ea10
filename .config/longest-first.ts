import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Seconds on two quiet cores of the files that last. They begin first: a long file that begins last would have the machine wait for it alone. All others follow by
 * project, so that those of the unit tests find the process of the one before.
 */
const longFiles: Readonly<Record<string, number>> = {
  "test/journey/frozen.test.ts": 190,
  "test/cluster/unreadable-records.test.ts": 120,
  "test/cluster/lease.test.ts": 110,
  "test/conformance/kills.test.ts": 105,
  "test/contract/telegram/media-aborts.test.ts": 80,
  "test/platform/telegram/connection.test.ts": 75,
  "test/cluster/commands.test.ts": 70,
  "test/journey/journey.test.ts": 65,
  "test/platform/whatsapp/login.test.ts": 60,
  "test/journey/one-tenant.test.ts": 55,
  "test/conformance/session-life.test.ts": 55,
  "test/cluster/media-kills.test.ts": 52,
  "test/unit/router/http/body-writer.test.ts": 51,
  "test/contract/telegram/media-links.test.ts": 47,
  "test/journey/webhook-soak.test.ts": 45,
  "test/contract/telegram/media.test.ts": 41,
  "test/contract/whatsapp/status.test.ts": 39,
  "test/platform/telegram/media.test.ts": 38,
  "test/platform/telegram/login.test.ts": 37,
  "test/cluster/redis-trouble.test.ts": 36,
  "test/journey/gap-soak.test.ts": 35,
  "test/journey/silent-host.test.ts": 30,
  "test/contract/telegram/message.test.ts": 29,
  "test/cluster/webhook-delivery.test.ts": 27,
  "test/journey/temp-files.test.ts": 27,
  "test/cluster/media-moves.test.ts": 26,
  "test/contract/telegram/media-ranges.test.ts": 26,
  "test/cluster/webhook-kill.test.ts": 25,
  "test/unit/deploy/supervisor/supervised-child.test.ts": 23,
  "test/contract/whatsapp/message.test.ts": 23,
  "test/conformance/typing.test.ts": 22,
  "test/conformance/lists.test.ts": 22,
  "test/unit/shard/image/image-pool.test.ts": 22,
  "test/contract/telegram/status.test.ts": 22,
  "test/contract/telegram/lists.test.ts": 21,
  "test/contract/whatsapp/lists.test.ts": 21,
  "test/journey/secrets.test.ts": 22,
  "test/journey/compose.test.ts": 15,
  "test/journey/watching.test.ts": 15,
  "test/unit/shard/image/text-card.test.ts": 14,
};

const projects = ["system", "contract", "process", "unit"];

export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const key = (file: TestSpecification): number =>
      1_000 * (longFiles[file.moduleId.slice(this.ctx.config.root.length).replace(/^\//, "")] ?? 0) - projects.indexOf(file.project.name);
    return Promise.resolve([...files].sort((a, b) => key(b) - key(a)));
  }
}
