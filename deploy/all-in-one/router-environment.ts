/** Settings of the router where it shares its process with a shard, whose own settings have the usual names. */
const ofRouter = { MEMBER_NAME: "ROUTER_MEMBER_NAME", ADMIN_PORT: "ROUTER_ADMIN_PORT" } as const;

/** Returns the environment that the router of the process reads. */
export function routerEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, ...Object.fromEntries(Object.entries(ofRouter).map(([name, from]) => [name, environment[from]])) };
}

/** Returns one environment for both, from that of each alone. */
export function sharedEnvironment(router: NodeJS.ProcessEnv, shard: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...router, ...shard, ...Object.fromEntries(Object.entries(ofRouter).map(([name, to]) => [to, router[name]])) };
}
