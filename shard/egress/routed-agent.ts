import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent, type AgentOptions } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Ending } from "../../shared/flow/ending.js";
import type { Route } from "./egress.js";

export interface RoutedAgentOptions extends AgentOptions {
  readonly route: Route;
  /** False for connections without TLS. */
  readonly secure?: boolean;
  /** When it aborts, connections that are still being made are dropped. */
  readonly signal: Ending;
  /** Called with each socket before its first use. */
  readonly onSocket?: (socket: Socket) => void;
}

/** Returns an agent for Node's HTTP client whose connections take a route. */
export function routedAgent({ route, secure = true, signal, onSocket, ...settings }: RoutedAgentOptions): HttpsAgent {
  const agent = secure ? new HttpsAgent(settings) : new HttpAgent(settings);
  const encrypt = agent.createConnection.bind(agent) as (options: object) => Socket;
  agent.createConnection = (options: Dialled, done: Done): undefined => {
    route.dial({ host: options.host, port: Number(options.port) }, signal).then(
      (raw) => {
        // Uses the TLS sessions that the agent remembers.
        const socket = secure ? encrypt({ ...options, socket: raw }) : raw;
        onSocket?.(socket);
        done(null, socket);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };
  // Users of agents expect the TLS type. For an address without TLS, Node needs the other agent.
  return agent as HttpsAgent;
}

interface Dialled {
  readonly host: string;
  readonly port: number | string;
}

type Done = (error: Error | null, socket?: Duplex) => void;
