import { commandRows } from "../shared/contract/commands.js";
import type { Traffic } from "../shared/cluster/process-report.js";
import { Counter, type MetricsRegistry } from "../shared/process/metrics/registry.js";
import { scrapedCounter, scrapedGauge } from "../shared/process/metrics/scraped.js";
import { TalliedHistogram, type Tally } from "../shared/process/metrics/tallied-histogram.js";
import { CommandMetrics } from "./bus/command-metrics.js";
import type { DeathCause } from "./bus/member-deaths.js";
import type { CompressionOutcome } from "./http/compressor.js";
import type { HttpMetrics } from "./http/http-metrics.js";
import type { CredentialGuardMetrics } from "./tenant/guard/credential-guard.js";
import type { CreationMetrics } from "./sessions/idempotency/creations.js";
import { MediaMetrics } from "./media/media-metrics.js";
import type { EventFeedMetrics } from "./admin/live-events/event-feed.js";
import type { OpenedRecordsMetrics } from "./sessions/opened-records.js";

/**
 * The router's metrics. Commands and media declare theirs in their folders, and some gauges stand beside the parts that they read. Labels
 * come from closed sets: never a session, address or path.
 */
export class RouterMetrics implements HttpMetrics, CreationMetrics, CredentialGuardMetrics, EventFeedMetrics, OpenedRecordsMetrics {
  readonly commands: CommandMetrics;
  readonly media: MediaMetrics;
  // Counted for every request, so these are plain numbers that a scrape reads.
  private readonly requestSeconds: TalliedHistogram<"route" | "status">;
  /** By route, then status. */
  private readonly requestTallies = new Map<string, Map<number, Tally>>();
  private readonly now = { connections: 0, requests: 0, newcomers: 0, eventStreams: 0 };
  private readonly quotaCounts = { sessions: 0, requestsPerSecond: 0, inFlight: 0, messagesPerDay: 0, mediaBytesPerSecond: 0 };
  private readonly wrongCredentialCounts = { rejected: 0, address: 0, session: 0 };
  private readonly turnedAwayCounts = { busy: 0, address: 0, body: 0 };
  private readonly compressionCounts: Record<CompressionOutcome, number> = { br: 0, gzip: 0, busy: 0, failed: 0 };
  private readonly mediaStreamEnds = { sent: 0, aborted: 0, slow: 0, failed: 0 };
  private readonly mediaFirstByteSeconds: Tally;
  private mediaSentBytes = 0;
  private readonly creationRepeats: Counter<"outcome">;
  private readonly memberDeaths: Counter<"cause">;
  private readonly recordCounts = { current: 0, cached: 0, decrypted: 0, unreadable: 0 };
  private readonly movesRefused: Counter;
  private readonly eventStreamEnds = { left: 0, slow: 0, revoked: 0, stopped: 0, refused: 0 };
  private readonly auditRowCounts = { written: 0, lost: 0 };

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.commands = new CommandMetrics(registry);
    this.media = new MediaMetrics(registry);
    this.requestSeconds = new TalliedHistogram({
      name: "gateway_router_request_seconds",
      help: "Time from a request to its response, or for media to the end of its stream, with status 0 if the client left first",
      labelNames: ["route", "status"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 240],
      registers,
    });
    const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
    gauge("gateway_router_connections_open", "Open client connections", () => this.now.connections);
    gauge("gateway_router_requests_running", "Requests in progress", () => this.now.requests);
    gauge(
      "gateway_router_newcomers_requests",
      "Requests that are not authenticated yet or whose body is incomplete, of which the oldest is rejected at 4,000",
      () => this.now.newcomers,
    );
    gauge("gateway_router_news_streams_open", "Open event streams of operators, at most 200", () => this.now.eventStreams);
    const counter = (name: string, help: string, label: string, counts: Readonly<Record<string, number>>): void =>
      scrapedCounter(registry, name, help, label, counts);
    counter(
      "gateway_router_quota_refusals_total",
      "Requests rejected by a quota of their tenant, with 403 for sessions and 429 for the others",
      "quota",
      this.quotaCounts,
    );
    counter(
      "gateway_router_requests_turned_away_total",
      "Requests rejected by the limit on all requests (busy, 503) or on one client address (address, 503), or evicted before their body arrived (body, 408)",
      "reason",
      this.turnedAwayCounts,
    );
    counter(
      "gateway_router_wrong_credentials_total",
      "Requests with a wrong API key or session secret, rejected with 401 or 404, or with 429 after too many from one address or for one session",
      "answer",
      this.wrongCredentialCounts,
    );
    counter(
      "gateway_router_compressions_total",
      "Responses compressed (br, gzip), or sent uncompressed because 16 MiB were being compressed (busy) or memory was short (failed)",
      "outcome",
      this.compressionCounts,
    );
    counter(
      "gateway_router_media_streams_total",
      "Media streams that were sent in full, were aborted by the client, were cut because the client read too slowly (slow) or failed",
      "end",
      this.mediaStreamEnds,
    );
    counter(
      "gateway_router_news_streams_total",
      "Event streams of operators that ended (left, slow, revoked or stopped), or were rejected with 429 because too many were open (refused)",
      "end",
      this.eventStreamEnds,
    );
    counter(
      "gateway_router_audit_rows_total",
      "Audit entries, by whether Redis stored them (written) or only the log has them (lost)",
      "outcome",
      this.auditRowCounts,
    );
    counter(
      "gateway_router_session_records_total",
      "Session records served without a Redis read (current), read but decrypted before (cached), decrypted (decrypted) or not decryptable (unreadable)",
      "outcome",
      this.recordCounts,
    );
    this.mediaFirstByteSeconds = new TalliedHistogram({
      name: "gateway_router_media_first_byte_seconds",
      help: "Time from a media request to the first byte of its body",
      labelNames: [],
      buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }).tally({});
    this.movesRefused = new Counter({
      name: "gateway_router_moves_refused_total",
      help: "Session moves rejected with 429 because their tenant had moved ten sessions within an hour",
      registers,
    });
    const sentBytes = (): number => this.mediaSentBytes;
    new Counter({
      name: "gateway_router_media_sent_bytes",
      help: "Bytes of media sent to clients, including cut and aborted streams",
      registers,
      collect() {
        this.reset();
        this.inc(sentBytes());
      },
    });
    this.creationRepeats = new Counter({
      name: "gateway_router_idempotent_creations_total",
      help: "POST /session requests that were replayed, reused an idempotency key with another body (conflict), or exceeded their caller's number of keys (full)",
      labelNames: ["outcome"],
      registers,
    });
    this.memberDeaths = new Counter({
      name: "gateway_router_member_deaths_total",
      help: "Shards that were removed by a supervisor (reaped), were silent for 20 seconds (timeout), stopped themselves (fenced) or were replaced",
      labelNames: ["cause"],
      registers,
    });
    // A rate needs a zero before the first event.
    for (const cause of ["reaped", "timeout", "fenced", "replaced"] as const) this.memberDeaths.inc({ cause }, 0);
  }

  wrongCredentials(outcome: "rejected" | "address" | "session"): void {
    this.wrongCredentialCounts[outcome]++;
  }

  creationRepeated(outcome: "replayed" | "conflict" | "full"): void {
    this.creationRepeats.inc({ outcome });
  }

  memberDied(cause: DeathCause): void {
    this.memberDeaths.inc({ cause });
  }

  requestEnded(route: string, status: number, seconds: number): void {
    let byStatus = this.requestTallies.get(route);
    if (byStatus === undefined) this.requestTallies.set(route, (byStatus = new Map<number, Tally>()));
    let tally = byStatus.get(status);
    if (tally === undefined) byStatus.set(status, (tally = this.requestSeconds.tally({ route, status: String(status) })));
    tally.observe(seconds);
  }

  /** Returns the counts that the console shows per minute. */
  traffic(): Traffic {
    const counts = { at: Date.now(), messages: 0, errors: 0 };
    for (const [route, byStatus] of this.requestTallies)
      for (const [status, { total }] of byStatus) {
        if (status >= 500) counts.errors += total;
        else if (status === 200 && messageRoutes.has(route)) counts.messages += total;
      }
    return counts;
  }

  connections(open: number): void {
    this.now.connections = open;
  }

  requestsInProgress(count: number): void {
    this.now.requests = count;
  }

  newcomers(count: number): void {
    this.now.newcomers = count;
  }

  quotaReached(quota: keyof typeof this.quotaCounts): void {
    this.quotaCounts[quota]++;
  }

  moveRefused(): void {
    this.movesRefused.inc();
  }

  turnedAway(reason: "busy" | "address" | "body"): void {
    this.turnedAwayCounts[reason]++;
  }

  compressed(outcome: CompressionOutcome): void {
    this.compressionCounts[outcome]++;
  }

  auditRows(outcome: "written" | "lost", rows: number): void {
    this.auditRowCounts[outcome] += rows;
  }

  eventStreamsOpen(count: number): void {
    this.now.eventStreams = count;
  }

  eventStreamEnded(end: keyof typeof this.eventStreamEnds): void {
    this.eventStreamEnds[end]++;
  }

  recordOpened(outcome: "cached" | "decrypted" | "unreadable"): void {
    this.recordCounts[outcome] += 1;
  }

  recordCurrent(): void {
    this.recordCounts.current += 1;
  }

  streamStarted(seconds: number): void {
    this.mediaFirstByteSeconds.observe(seconds);
  }

  streamEnded(end: "sent" | "aborted" | "slow" | "failed", _bytes: number, taken: number): void {
    this.mediaStreamEnds[end]++;
    this.mediaSentBytes += taken;
  }
}

/** Routes of all calls that send a message, as `requestEnded` names them. */
const messageRoutes: ReadonlySet<string> = new Set(
  Object.entries(commandRows).flatMap(([platform, rows]) =>
    Object.entries(rows).flatMap(([command, { isMessage }]) => (isMessage ? [`${platform} ${command}`] : [])),
  ),
);
