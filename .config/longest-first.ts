import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** About how many seconds the files that last take on two cores: only their order matters. */
const longFiles: Readonly<Record<string, number>> = {
  "test/journey/frozen.test.ts": 180,
  "test/cluster/unreadable-records.test.ts": 170,
  "test/conformance/kills.test.ts": 150,
  "test/console/console.test.ts": 120,
  "test/cluster/lease.test.ts": 110,
  "test/cluster/media-aborts.test.ts": 80,
  "test/platform/telegram/connection.test.ts": 75,
  "test/cluster/commands.test.ts": 70,
  "test/journey/key-rotation.test.ts": 70,
  "test/contract/audit.test.ts": 66,
  "test/journey/journey.test.ts": 65,
  "test/platform/whatsapp/login.test.ts": 60,
  "test/journey/command-line.test.ts": 60,
  "test/journey/one-tenant.test.ts": 55,
  "test/conformance/session-life.test.ts": 55,
  "test/cluster/media-kills.test.ts": 52,
  "test/unit/router/http/body-writer.test.ts": 52,
  "test/journey/webhook-soak.test.ts": 45,
  "test/journey/watching.test.ts": 45,
  "test/contract/openapi/openapi.test.ts": 43,
  "test/cluster/idempotency-kills.test.ts": 41,
  "test/contract/whatsapp/message.test.ts": 40,
  "test/contract/telegram/media-links.test.ts": 39,
  "test/platform/telegram/media.test.ts": 38,
  "test/contract/telegram/media.test.ts": 38,
  "test/platform/telegram/login.test.ts": 37,
  "test/cluster/redis-trouble.test.ts": 36,
  "test/journey/gap-soak.test.ts": 35,
  "test/unit/router/http/manners.test.ts": 34,
  "test/journey/operate.test.ts": 33,
  "test/contract/whatsapp/status.test.ts": 31,
  "test/unit/shared/metrics/redis-probe.test.ts": 29,
  "test/cluster/tenants.test.ts": 28,
  "test/cluster/webhook-delivery.test.ts": 27,
  "test/cluster/media-ranges.test.ts": 26,
  "test/cluster/webhook-kill.test.ts": 25,
  "test/unit/deploy/supervisor/supervised-child.test.ts": 25,
  "test/contract/telegram/status.test.ts": 23,
  "test/conformance/typing.test.ts": 22,
  "test/conformance/lists.test.ts": 22,
  "test/journey/secrets.test.ts": 22,
  "test/contract/telegram/lists.test.ts": 22,
  "test/unit/shard/image/image-pool.test.ts": 17,
  "test/journey/compose.test.ts": 15,
  "test/contract/telegram/message.test.ts": 14,
  "test/contract/whatsapp/session.test.ts": 14,
  "test/contract/request-id.test.ts": 13,
  "test/unit/shard/image/text-card.test.ts": 11,
  "test/contract/whatsapp/lists.test.ts": 11,
  "test/contract/idempotency.test.ts": 11,
  "test/unit/router/http/malformed.test.ts": 11,
  "test/unit/router/tenant/key-directory.test.ts": 10,
  "test/contract/telegram/media-cold.test.ts": 9,
  "test/contract/client.test.ts": 8,
  "test/contract/telegram/media-tampering.test.ts": 8,
  "test/contract/telegram/webhook.test.ts": 8,
  "test/unit/shard/whatsapp/keep-alive.test.ts": 7,
  "test/contract/console.test.ts": 7,
  "test/contract/whatsapp/required-fields.test.ts": 7,
  "test/unit/shard/download/video-frame.test.ts": 7,
  "test/unit/router/media/chunk-reuse.test.ts": 7,
  "test/unit/router/tenant/tenant-rates.test.ts": 7,
  "test/unit/shard/download/download.test.ts": 6,
  "test/unit/deploy/watch/rules.test.ts": 5,
  "test/unit/deploy/sbom.test.ts": 5,
  "test/unit/router/blanks.test.ts": 5,
  "test/unit/shared/tenant/tenant-places.test.ts": 5,
  "test/unit/deploy/setup/failures.test.ts": 5,
  "test/unit/router/http/app.test.ts": 5,
  "test/unit/router/redis/bulk-connection.test.ts": 5,
  "test/unit/ci/verdict.test.ts": 4,
  "test/unit/shard/download/bounded-process.test.ts": 4,
  "test/unit/shard/redis/replica-gate.test.ts": 4,
  "test/unit/shared/process/parent-gone.test.ts": 4,
  "test/unit/deploy/client/schema.test.ts": 4,
  "test/unit/deploy/supervisor/private-redis-stop.test.ts": 4,
  "test/unit/deploy/redis/users.test.ts": 4,
  "test/unit/router/admin/session-directory.test.ts": 4,
  "test/unit/router/http/bytes-sender.test.ts": 4,
};

/** Those whose files share processes come last and each in one run, so that a file finds the process of the one before: a process of its own costs seconds of CPU. */
const projects = ["system", "sandbox", "platform", "conformance", "contract", "process", "unit"];
/** The end of a run: a file of theirs that lasts longer than what is left begins with the first nonetheless. */
const last = ["process", "unit"];
const longSeconds = 27;

/** The longest files begin first: one that begins last would have the machine wait for it alone. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const key = (file: TestSpecification): [place: number, seconds: number] => {
      const seconds = longFiles[relative(this.ctx.config.root, file.moduleId)] ?? 0;
      const { name } = file.project;
      return [last.includes(name) && seconds > longSeconds ? 0 : projects.indexOf(name), seconds];
    };
    const keyed = files.map((file) => ({ file, key: key(file) }));
    keyed.sort((a, b) => a.key[0] - b.key[0] || b.key[1] - a.key[1]);
    return Promise.resolve(keyed.map(({ file }) => file));
  }
}
