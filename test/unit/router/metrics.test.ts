import { expect, it } from "vitest";
import { RouterMetrics } from "../../../router/metrics.js";
import { createRegistry } from "../../../shared/process/metrics/registry.js";

it("shows requests, connections and media under the router's names", async () => {
  const registry = createRegistry("router", "router-1");
  const metrics = new RouterMetrics(registry);
  metrics.requestEnded("telegram get-session", 200, 0.003);
  metrics.connections(3);
  metrics.requestsInProgress(2);
  metrics.media.streamsOpen(1);
  metrics.streamStarted(0.002);
  for (const hit of [true, true, false]) metrics.media.lookup("session", hit);
  metrics.streamEnded("sent", 1000, 1000);
  metrics.streamEnded("slow", 5000, 300);
  metrics.media.chunkLoaded("redis");
  metrics.media.memoryBytes(512);
  const text = await registry.metrics();
  for (const line of [
    /gateway_router_request_seconds_count\{[^}]*route="telegram get-session",status="200"[^}]*\} 1/,
    /gateway_router_connections_open\{[^}]*\} 3/,
    /gateway_router_requests_running\{[^}]*\} 2/,
    /gateway_router_media_streams_open\{[^}]*\} 1/,
    /gateway_router_media_streams_total\{[^}]*end="slow"[^}]*\} 1/,
    /gateway_router_media_known_total\{[^}]*of="session",outcome="hit"[^}]*\} 2/,
    /gateway_router_media_known_total\{[^}]*of="link",outcome="miss"[^}]*\} 0/,
    /gateway_router_media_first_byte_seconds_count\{[^}]*\} 1/,
    /gateway_router_media_sent_bytes\{[^}]*\} 1300/,
    /gateway_router_media_chunks_total\{[^}]*source="redis"[^}]*\} 1/,
    /gateway_router_media_memory_bytes\{[^}]*\} 512/,
  ]) {
    expect(text).toMatch(line);
  }
});

it("counts the messages that were sent and the responses that failed, for the console", () => {
  const metrics = new RouterMetrics(createRegistry("router", "router-1"));
  for (const [route, status] of [
    ["telegram send-message", 200],
    ["whatsapp send-message", 200],
    ["telegram send-message", 400],
    ["telegram send-message", 503],
    ["telegram get-session", 200],
    ["telegram get-session", 0],
    ["not-found", 500],
  ] as const)
    metrics.requestEnded(route, status, 0.01);
  expect(metrics.traffic()).toEqual({ at: expect.any(Number) as number, messages: 2, errors: 2 });
});
