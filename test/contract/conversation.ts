import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { PlatformSide } from "../harness/platform-side.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";

/** A gateway with alice's sessions on both platforms, whose events go to one receiver. */
export interface Conversation {
  readonly gateway: TestCluster;
  readonly receiver: WebhookReceiver;
  readonly callers: Readonly<Record<Platform, Caller>>;
  /** Bob's phone numbers. */
  readonly phones: Readonly<Record<Platform, string>>;
  close(): Promise<void>;
}

/** The caller must close it. */
export async function openConversation(): Promise<Conversation> {
  const gateway = await startCluster();
  const receiver = await WebhookReceiver.start();
  const callers = {} as Record<Platform, Caller>;
  const phones = {} as Record<Platform, string>;
  for (const platform of platforms) {
    callers[platform] = await loggedIn(gateway, "alice", platform);
    await callers[platform].send("PUT", "/session/webhook", { url: receiver.url, token: "t" });
    phones[platform] = await new PlatformSide(gateway, platform).phoneOf("bob");
  }
  const close = async (): Promise<void> => {
    await receiver.stop();
    await gateway.stop();
  };
  return { gateway, receiver, callers, phones, close };
}
