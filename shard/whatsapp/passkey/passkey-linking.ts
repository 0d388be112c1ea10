import { randomBytes } from "node:crypto";
import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import { ApiError } from "../../../shared/contract/api-error.js";
import type { PasskeyCredential, PasskeyOptions, PasskeyStep } from "../../../shared/contract/passkey.js";
import {
  invalidPasskey,
  noPasskeyAsked,
  noPasskeyCode,
  platformError,
  sessionNotConnected,
} from "../../../shared/contract/whatsapp/errors.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { Broadcast } from "../../flow/broadcast.js";
import type { ConnectorContext } from "../../session/session-context.js";
import type { AuthStore } from "../auth-store.js";
import type { Client } from "../client.js";
import { iqErrorCode, toApiError } from "../errors.js";
import { platformType } from "../network/socket-config.js";
import type { ShownDevice } from "../shown-device.js";
import type { WhatsAppTiming } from "../timing.js";
import { credentialFault, toSentAssertion } from "./credential-fault.js";
import type { PasskeyMetrics } from "./passkey-failure.js";
import { type PasskeyAttempt, stepOf } from "./passkey-attempt.js";
import {
  confirmedOf,
  type FailedAttempt,
  type InPhase,
  acceptsAssertion,
  isConfirmable,
  planChallenge,
  planLate,
  planReveal,
} from "./passkey-plan.js";
import { handoffKey, handoffProof, makePrologue, readPrimaryIdentity, sealPairingRequest } from "./prologue.js";
import { readRequestOptions } from "./request-options.js";
import { bytesOf, leaf, registrationIq, serverJid } from "./stanza.js";

/**
 * Links a device to an account that has a passkey. Each step is stored before it is sent and has a time limit. A failure ends the attempt
 * with a reason and drops its device.
 */
export class PasskeyLinking {
  /** The connection on which the device registers, after its handshake. */
  private client: Client | undefined;
  private readonly clients = new Broadcast<Client>();
  /** Runs the steps one at a time, whatever causes them. */
  private readonly steps = new SerialQueue();
  private limit: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: Pick<ConnectorContext, "dispatch" | "state" | "signal" | "log">,
    private readonly auth: AuthStore,
    private readonly device: ShownDevice,
    private readonly timing: Pick<WhatsAppTiming, "passkeyStepMs" | "passkeyConfirmMs" | "handoffMs">,
    private readonly onEnded: NonNullable<PasskeyMetrics["onPasskeyEnded"]> = () => undefined,
  ) {}

  /** Starts the attempt's time limit. Call it when credentials were loaded or removed; the limit runs without a connection too. */
  arm(): void {
    clearTimeout(this.limit);
    const { attempt } = this.auth;
    if (attempt === undefined) return;
    this.limit = setTimeout(() => this.run(() => this.judgeTime()), Math.max(0, attempt.until - Date.now())).unref();
  }

  /** Call it when a registering connection accepts queries. Synchronous, never throws. */
  ready(client: Client): void {
    this.client = client;
    this.clients.send(client);
    if (this.auth.attempt !== undefined) this.run(() => this.resume(client));
  }

  /** Call it when that connection is over. */
  gone(): void {
    this.client = undefined;
  }

  /** Handles `passkey_prologue_request`. Synchronous, never throws. */
  onRequest(client: Client, stanza: BinaryNode): void {
    if (stanza.attrs["from"] === serverJid) this.run(() => this.begin(client, stanza));
  }

  /** Handles `crsc_continuation`. Synchronous, never throws. */
  onContinuation(client: Client, stanza: BinaryNode): void {
    if (stanza.attrs["from"] === serverJid) this.run(() => this.reveal(client, stanza));
  }

  /** Sends the assertion of the owner's browser. Resolves when it was sent; the session's state shows the outcome. */
  submit(credential: PasskeyCredential, signal: AbortSignal): Promise<void> {
    return this.steps.run(async () => {
      const attempt = this.auth.attempt;
      if (!acceptsAssertion(attempt, Date.now())) throw noPasskeyAsked();
      const fault = credentialFault(credential, attempt.options);
      if (fault !== undefined) throw invalidPasskey(fault);
      await this.send(await this.connected(signal), attempt, credential);
    });
  }

  /** Continues after the owner has compared the code with the phone's. */
  confirm(signal: AbortSignal): Promise<void> {
    return this.steps.run(async () => {
      const { attempt } = this.auth;
      if (!isConfirmable(attempt, Date.now())) throw noPasskeyCode();
      await this.request(await this.connected(signal), attempt);
    });
  }

  /** Resolves when no step is running. */
  async idle(): Promise<void> {
    await this.steps.idle();
  }

  stop(): void {
    clearTimeout(this.limit);
  }

  /** Ends the attempt because the device is linked, with or without a passkey. */
  linked(): void {
    const { attempt } = this.auth;
    if (attempt !== undefined) this.onEnded(attempt.phase, "linked");
    this.auth.attempt = undefined;
    this.stop();
  }

  /** Fails a challenge that the state shows but that is not stored with the device, so it cannot be completed. */
  async interrupted({ step }: PasskeyStep): Promise<void> {
    this.onEnded(step === "confirm" ? "revealed" : step, "interrupted");
    await this.context.dispatch({
      type: "linking-refused",
      refusal: "the linking by passkey was interrupted; reset the session to try again",
    });
  }

  private async connected(signal: AbortSignal): Promise<Client> {
    const client = this.client ?? (await this.clients.next(connectMs, signal, this.context.signal));
    if (client === undefined) throw sessionNotConnected();
    return client;
  }

  private async begin(client: Client, stanza: BinaryNode): Promise<void> {
    const { attempt } = this.auth;
    const options = readRequestOptions(stanza) ?? (await this.options(client).catch(() => undefined));
    // Another connection or a reset has started again meanwhile.
    if (this.client !== client) return;
    const plan = planChallenge(attempt, options);
    if (plan.kind === "fail") return this.fail(plan);
    if (plan.kind === "leave") return;
    const secret = Buffer.from(this.auth.creds.advSecretKey, "base64");
    await this.openChallenge(plan.options, {
      handoffKey: attempt?.handoffKey ?? handoffKey(secret),
      handoffUntil: attempt?.handoffUntil ?? Date.now() + this.timing.handoffMs,
    });
  }

  private async openChallenge(options: PasskeyOptions, handoff: Pick<PasskeyAttempt, "handoffKey" | "handoffUntil">): Promise<void> {
    const until = Date.now() + Math.min(options.timeout ?? challengeMs, challengeMs);
    const token = randomBytes(32).toString("base64url");
    await this.enter({ phase: "challenge", options, token, advSecret: randomBytes(32), ...handoff, until });
    this.context.log.info({}, "passkey requested by the platform");
  }

  private async send(client: Client, attempt: InPhase<"challenge">, credential: PasskeyCredential): Promise<void> {
    const response = await this.query(client, registrationIq("get", leaf("ref")), "the platform refused to go on");
    const ref = bytesOf(getBinaryNodeChild(response, "ref"));
    if (ref === undefined || ref.length === 0 || ref.length > refMaxBytes) {
      await this.fail({ outcome: "unreadable", reason: "the platform named no attempt to link" });
      throw platformError("the platform named no attempt to link");
    }
    const { side, payload } = makePrologue(ref.toString(), platformType(this.device));
    const { token, advSecret, handoffKey: key, handoffUntil } = attempt;
    const proven = Date.now() < handoffUntil;
    await this.enter({ phase: "sent", ...{ token, advSecret, handoffUntil, side, proven }, handoffKey: key, until: this.stepEnd() });
    const content = [
      leaf("credential_id", Buffer.from(credential.rawId, "base64url")),
      leaf("webauthn_assertion", toSentAssertion(credential)),
      leaf("prologue_payload", payload),
      ...(proven ? [leaf("pairing_handoff_proof", handoffProof(key, payload))] : []),
    ];
    await this.notify(client, { tag: "passkey_prologue", attrs: {}, content }, "the platform refused the passkey");
  }

  private async reveal(client: Client, stanza: BinaryNode): Promise<void> {
    const primary = readPrimaryIdentity(bytesOf(getBinaryNodeChild(stanza, "primary_ephemeral_identity")));
    const plan = planReveal(this.auth.attempt, primary, (proven) => (proven ? this.stepEnd() : Date.now() + this.timing.passkeyConfirmMs));
    if (plan.kind === "fail") return this.fail(plan);
    if (plan.kind === "leave") return;
    const { revealed, isNew } = plan;
    if (isNew) await this.enter(revealed, revealed.proven);
    await this.notify(client, leaf("companion_nonce", revealed.side.nonce), "the phone refused this device");
    if (this.auth.attempt?.phase === "revealed" && revealed.proven) await this.request(client, revealed);
  }

  /** After this the phone may link the device, and only with the new secret. */
  private async request(client: Client, revealed: InPhase<"revealed">): Promise<void> {
    this.auth.creds.advSecretKey = revealed.advSecret.toString("base64");
    const confirmed = confirmedOf(revealed, this.stepEnd());
    await this.enter(confirmed);
    await this.sendRequest(client, confirmed);
  }

  private async sendRequest(client: Client, { side, primary, advSecret }: InPhase<"confirmed">): Promise<void> {
    const { noiseKey, signedIdentityKey } = this.auth.creds;
    const sealed = sealPairingRequest(side, primary, { noiseKey: noiseKey.public, identity: signedIdentityKey.public, advSecret });
    await this.notify(client, leaf("encrypted_pairing_request", sealed), "the phone refused to link this device");
  }

  /** Continues an attempt when the device registers again, because the session's owner changed or the connection was lost. */
  private async resume(client: Client): Promise<void> {
    const { attempt } = this.auth;
    if (attempt === undefined) return;
    await this.context.dispatch({ type: "passkey-step", passkey: stepOf(attempt) });
    if (attempt.phase === "revealed" || attempt.phase === "confirmed") return this.resumeRevealed(client, attempt);
    let options: PasskeyOptions | undefined;
    try {
      options = await this.options(client);
    } catch (error) {
      // A challenge that the platform has forgotten cannot be completed. After the assertion was sent, the phone may still continue.
      if (attempt.phase === "challenge" && iqErrorCode(error) !== undefined)
        await this.fail({ outcome: "forgotten", reason: "the platform waits for the passkey no longer" });
      return;
    }
    const plan = planChallenge(attempt, options);
    if (plan.kind === "fail") return this.fail(plan);
    if (plan.kind === "ask") await this.openChallenge(plan.options, attempt);
  }

  /** The last messages may not have arrived. Sending them again is safe: the first copy counts. */
  private async resumeRevealed(client: Client, attempt: InPhase<"revealed" | "confirmed">): Promise<void> {
    await client.register(registrationIq("set", leaf("companion_nonce", attempt.side.nonce))).catch(() => undefined);
    if (attempt.phase === "confirmed") await this.sendRequest(client, attempt);
    else if (attempt.proven) await this.request(client, attempt);
  }

  private async options(client: Client): Promise<PasskeyOptions | undefined> {
    return readRequestOptions(await client.register(registrationIq("get", leaf("passkey_request_options"))));
  }

  /** Sends data to the platform or the phone. A timeout is no failure: the phone's next step arrives, or this one times out. */
  private async notify(client: Client, content: BinaryNode, refused: string): Promise<void> {
    try {
      await this.query(client, registrationIq("set", content), refused);
    } catch (error) {
      if (error instanceof ApiError) throw error;
    }
  }

  /** Sends an IQ. A refusal ends the attempt and is thrown as an API error; timeouts and lost connections are thrown unchanged. */
  private async query(client: Client, question: BinaryNode, refused: string): Promise<BinaryNode> {
    try {
      return await client.register(question);
    } catch (error) {
      const code = iqErrorCode(error);
      if (code === undefined) throw error;
      await this.fail({ outcome: "refused", reason: `${refused} (${code})` });
      throw toApiError(error);
    }
  }

  private stepEnd(): number {
    return Date.now() + this.timing.passkeyStepMs;
  }

  /** Stores the new phase, then shows it. `quietly`: nothing visible changes. */
  private async enter(attempt: PasskeyAttempt, quietly = false): Promise<void> {
    this.auth.attempt = attempt;
    this.arm();
    await this.auth.persist();
    if (!quietly) await this.context.dispatch({ type: "passkey-step", passkey: stepOf(attempt) });
  }

  private async judgeTime(): Promise<void> {
    const plan = planLate(this.auth.attempt, { paired: this.auth.paired, now: Date.now() });
    if (plan.kind === "wait") this.arm();
    if (plan.kind === "fail") await this.fail(plan);
  }

  /** Ends the attempt with a reason in the session's state. Its device is never linked, so later stanzas for it are ignored. */
  private async fail({ outcome, reason }: Omit<FailedAttempt, "kind">): Promise<void> {
    this.onEnded(this.auth.attempt?.phase ?? "challenge", outcome);
    this.context.log.warn({ reason }, "passkey linking failed");
    clearTimeout(this.limit);
    await this.auth.dropAttempt();
    await this.context.dispatch({ type: "linking-refused", refusal: `${reason}; reset the session to try again` });
    this.client?.giveUp();
  }

  private run(step: () => Promise<void>): void {
    this.steps.run(step).catch((error: unknown) => {
      // The state shows a refusal, and the session itself detects an unavailable store or a lost slot.
      if (!(error instanceof ApiError)) this.context.log.info({ err: error }, "passkey linking step failed");
    });
  }
}

/** The platform's own limit for a challenge. A shorter `timeout` in the challenge applies. */
const challengeMs = 600_000;
/** A shard that has just taken over the session connects within this time. */
const connectMs = 20_000;
const refMaxBytes = 1_024;
