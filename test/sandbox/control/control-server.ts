import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { SampleFiles } from "../files/sample-files.js";
import { readQrImage } from "./camera.js";
import { ControlError } from "./control-error.js";
import { Fields } from "./fields.js";
import type { Doc, MoreAction, PeopleAction, PlatformControl } from "./platform-control.js";
import { readJson } from "./read-json.js";

export interface ControlOptions {
  readonly platforms: ReadonlyMap<string, PlatformControl>;
  readonly samples: SampleFiles;
  readonly failed: (error: unknown) => void;
}

interface Request {
  readonly query: Fields;
  readonly body: Fields;
}

const requestDeadlineMs = 30_000;
const keepAliveMs = 600_000;

/** The HTTP API that controls the simulated phones and people. */
export class ControlServer {
  private readonly server: Server;
  private readonly routes: Readonly<Record<string, (request: Request) => Doc | Promise<Doc>>>;

  constructor(private readonly options: ControlOptions) {
    this.routes = this.routeTable();
    this.server = createServer((request, response) => void this.serve(request, response));
    this.server.requestTimeout = requestDeadlineMs;
    // A request that reuses a connection just as the server closes it fails, so idle connections stay open for long.
    this.server.keepAliveTimeout = keepAliveMs;
  }

  /** Starts the server and returns its port. */
  async start(host: string, port: number): Promise<number> {
    this.server.listen({ host, port });
    await once(this.server, "listening");
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("the control server has no port");
    return address.port;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private routeTable(): Readonly<Record<string, (request: Request) => Doc | Promise<Doc>>> {
    const people =
      (action: PeopleAction) =>
      ({ body }: Request) =>
        this.platformOf(body).people(action, body);
    const more =
      (action: MoreAction) =>
      async ({ body }: Request) => {
        const control = this.platformOf(body);
        if (control.more === undefined) throw new ControlError(400, `the platform plays no /people/${action}`);
        return await control.more(action, body);
      };
    return {
      "GET /accounts": ({ query }) => ({
        docs: this.chosen(query).flatMap(([platform, control]) => control.accounts().map((doc) => ({ platform, ...doc }))),
      }),
      "POST /accounts": ({ body }) => ({ platform: this.nameOf(body), ...this.platformOf(body).createAccount(body) }),
      "POST /phone/scan": async ({ body }) => {
        const control = this.platformOf(body);
        const account = body.text("account");
        const text = await readQrImage(body.text("qrcode"));
        if (text === undefined) throw new ControlError(400, "qrcode is not readable");
        return { platform: this.nameOf(body), ...(await control.scan(account, text)) };
      },
      "POST /phone/code": async ({ body }) => {
        const control = this.platformOf(body);
        if (control.enterCode === undefined) throw new ControlError(400, "the platform knows no pairing codes");
        return { platform: this.nameOf(body), ...(await control.enterCode(body)) };
      },
      "POST /phone/passkey": ({ body }) => {
        const control = this.platformOf(body);
        if (control.passkey === undefined) throw new ControlError(400, "the platform asks for no passkeys");
        return { platform: this.nameOf(body), ...control.passkey(body) };
      },
      "POST /phone/passkey/confirm": ({ body }) => {
        const control = this.platformOf(body);
        if (control.confirmPasskey === undefined) throw new ControlError(400, "the platform asks for no passkeys");
        return { platform: this.nameOf(body), ...control.confirmPasskey(body) };
      },
      "POST /phone/settings": async ({ body }) => {
        const control = this.platformOf(body);
        if (control.settings === undefined) throw new ControlError(400, "the platform's phones have no settings");
        return { platform: this.nameOf(body), ...(await control.settings(body)) };
      },
      "POST /phone/unlink": ({ body }) => ({ platform: this.nameOf(body), ...this.platformOf(body).unlink(body.text("account")) }),
      "POST /people/send": people("send"),
      "POST /people/edit": people("edit"),
      "POST /people/delete": people("delete"),
      "POST /people/read": people("read"),
      "POST /people/photo": people("photo"),
      "POST /people/group": more("group"),
      "POST /people/call": more("call"),
      "POST /people/vote": more("vote"),
      "GET /received": async ({ query }) => {
        const chosen = this.chosen(query);
        await Promise.all(chosen.map(async ([, control]) => control.allRead?.()));
        return {
          docs: chosen.flatMap(([platform, control]) =>
            control.received(query.optionalText("account")).map((doc) => ({ platform, ...doc })),
          ),
        };
      },
      "GET /history": ({ query }) => {
        const control = this.platformOf(query);
        return { docs: control.history?.(query.optionalText("account")) ?? [] };
      },
      "GET /deliveries": ({ query }) => {
        const control = this.platformOf(query);
        const confirmed =
          query.optionalText("confirmed") === undefined ? undefined : query.oneOf("confirmed", ["true", "false"]) === "true";
        return { docs: control.deliveries?.(query.optionalText("account"), confirmed) ?? [] };
      },
      "GET /connections": ({ query }) => ({
        docs: this.chosen(query).flatMap(([platform, control]) => control.connections().map((doc) => ({ platform, ...doc }))),
      }),
      "GET /overlaps": ({ query }) => ({
        docs: this.chosen(query).flatMap(([platform, control]) => control.overlaps().map((doc) => ({ platform, ...doc }))),
      }),
      "GET /calls": ({ query }) => Object.fromEntries(this.chosen(query).map(([platform, control]) => [platform, control.calls()])),
      "DELETE /calls": ({ query }) => {
        for (const [, control] of this.chosen(query)) control.resetCalls();
        return {};
      },
      "POST /faults": ({ body }) => ({ platform: this.nameOf(body), ...this.platformOf(body).fault(body) }),
      "DELETE /faults": ({ query }) => {
        for (const [, control] of this.chosen(query)) control.clearFaults();
        return {};
      },
      "POST /load/logins": ({ body }) => {
        const control = this.platformOf(body);
        if (control.makeLogins === undefined) throw new ControlError(400, "logins are made up in load mode only");
        return { docs: control.makeLogins(body) };
      },
      "POST /load/incoming": async ({ body }) => {
        const control = this.platformOf(body);
        if (control.writeMany === undefined) throw new ControlError(400, "people write in masses in load mode only");
        return await control.writeMany(body);
      },
      "GET /media": ({ query }) => {
        const media = this.platformOf(query).media;
        return { docs: media === undefined ? [] : media.call(this.platformOf(query)) };
      },
    };
  }

  private nameOf(fields: Fields): string {
    return fields.oneOf("platform", [...this.options.platforms.keys()]);
  }

  private platformOf(fields: Fields): PlatformControl {
    const control = this.options.platforms.get(this.nameOf(fields));
    if (control === undefined) throw new ControlError(404, "not found");
    return control;
  }

  /** Returns the platform that the query names, or all platforms. */
  private chosen(query: Fields): [string, PlatformControl][] {
    if (query.optionalText("platform") === undefined) return [...this.options.platforms];
    return [[this.nameOf(query), this.platformOf(query)]];
  }

  /** Never rejects: every error becomes a response. */
  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? "/", "http://sandbox");
      const method = request.method ?? "GET";
      if ((method === "GET" || method === "HEAD") && url.pathname.startsWith("/files/")) {
        await this.serveFile(url.pathname.slice("/files/".length), method, response);
        return;
      }
      const name = `${method} ${url.pathname}`;
      const route = Object.hasOwn(this.routes, name) ? this.routes[name] : undefined;
      if (route === undefined) throw new ControlError(404, `Cannot ${name}`);
      const body = method === "POST" ? await readJson(request) : {};
      const answer = await route({ query: new Fields(Object.fromEntries(url.searchParams)), body: new Fields(body) });
      reply(response, 200, answer);
    } catch (error) {
      if (!(error instanceof ControlError)) this.options.failed(error);
      const { statusCode, message } = error instanceof ControlError ? error : new ControlError(500, "internal server error");
      reply(response, statusCode, { statusCode, message });
    }
  }

  private async serveFile(name: string, method: string, response: ServerResponse): Promise<void> {
    const file = await this.options.samples.get(name);
    if (file === undefined) throw new ControlError(404, "file not found");
    response.writeHead(200, { "content-type": file.mimetype, "content-length": file.bytes.length });
    response.end(method === "HEAD" ? undefined : file.bytes);
  }
}

function reply(response: ServerResponse, statusCode: number, answer: Doc): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(answer);
  // The server must not parse the unread rest of a rejected body as the next request.
  const close = statusCode === 413 ? { connection: "close" } : {};
  response.writeHead(statusCode, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    ...close,
  });
  response.end(body);
}
