import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent, type AgentOptions } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Route } from "./egress.js";

export interface RoutedAgentOptions extends AgentOptions {
  readonly route: Route;
  /** False: what is dialled is not encrypted. */
  readonly secure?: boolean;
  /** Nothing that is still being dialled is used after that. */
  readonly signal: AbortSignal;
  /** Called with each socket before anybody uses it. */
  readonly onSocket?: (socket: Socket) => void;
}

/** An agent of Node's HTTP client whose connections take a route. */
export function routedAgent({ route, secure = true, signal, onSocket, ...settings }: RoutedAgentOptions): HttpsAgent {
  const agent = secure ? new HttpsAgent(settings) : new HttpAgent(settings);
  const encrypt = agent.createConnection.bind(agent) as (options: object) => Socket;
  agent.createConnection = (options: Dialled, done: Done): undefined => {
    route.dial({ host: options.host, port: Number(options.port) }, signal).then(
      (raw) => {
        // With the TLS sessions that the agent remembers.
        const socket = secure ? encrypt({ ...options, socket: raw }) : raw;
        onSocket?.(socket);
        done(null, socket);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };
  // Those who take an agent name the TLS one; for an address without TLS Node wants the other.
  return agent as HttpsAgent;
}

interface Dialled {
  readonly host: string;
  readonly port: number | string;
}

type Done = (error: Error | null, socket?: Duplex) => void;
