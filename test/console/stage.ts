import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { request } from "../harness/api.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { openConsole, startBrowser, type ConsolePage } from "../harness/browser.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { PressedHandlers } from "./pressed-handlers.js";

/** One gateway with two routers and two shards, one browser, and the record of handlers that ran in it. */
export class Stage {
  readonly pressed = new PressedHandlers();
  readonly origin: string;
  /** Origin of the second router. */
  readonly elsewhere: string;

  private constructor(
    readonly gateway: Gateway,
    private readonly browser: Browser,
  ) {
    const [first = "", second = ""] = gateway.telegram;
    this.origin = new URL(first).origin;
    this.elsewhere = new URL(second).origin;
  }

  static async start(): Promise<Stage> {
    const [a, b] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
    const gateway = startGateway({ routers: 2, shards: 2, env: { CRED_KEYS: `a:${a},b:${b}`, TEST_TIME_PERCENT: "100" } });
    return new Stage(...(await Promise.all([gateway, startBrowser()])));
  }

  async stop(): Promise<void> {
    await Promise.all([this.browser.close(), this.gateway.stop()]);
  }

  /** Returns a fresh browser context, for pages outside the console. */
  newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    return this.browser.newContext(options);
  }

  /** Opens the console in a fresh context. Script errors, and everything that the content security policy blocks, fail the test. */
  async visit(
    act: (seen: ConsolePage) => Promise<void>,
    options: BrowserContextOptions = {},
    address = `${this.origin}/console`,
  ): Promise<void> {
    await this.open(
      async (seen) => {
        await act(seen);
        await this.pressed.note(seen.page);
      },
      options,
      address,
      (page) => this.pressed.watch(page),
    );
  }

  /** Same as `visit`, but without recording handlers, which slows scripts down. Use it only if other tests press the same controls. */
  async look(act: (seen: ConsolePage) => Promise<void>, options: BrowserContextOptions): Promise<void> {
    await this.open(act, options, `${this.origin}/console`);
  }

  async admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers = { "x-api-key": this.gateway.adminKey, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await request(`${this.origin}/admin${path}`, init)).body as Record<string, unknown>;
  }

  /** Runs `act` with a connection to the gateway's own Redis. */
  async withRedis<T>(act: (redis: RedisClient) => Promise<T>): Promise<T> {
    const redis = await connectRedis(join(this.gateway.dataDir, "redis", "redis.sock"), "writer", silentLog);
    try {
      return await act(redis);
    } finally {
      redis.disconnect();
    }
  }

  private async open(
    act: (seen: ConsolePage) => Promise<void>,
    options: BrowserContextOptions,
    address: string,
    beforeLoad?: (page: Page) => Promise<void>,
  ): Promise<void> {
    const seen = await openConsole(this.browser, address, options, beforeLoad);
    try {
      await act(seen);
    } catch (error) {
      if (error instanceof Error) error.message += `\n${await seen.state.text()}`;
      throw error;
    } finally {
      await seen.close();
    }
    expect(seen.faults).toEqual([]);
  }
}
