import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import typia from "typia";
import { der } from "./der.js";

/** The PEM of a server certificate for one address, and of the authority that signed it. */
export interface MediaCertificate {
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

const parse = typia.json.createAssertParse<MediaCertificate>();
const validFrom = new Date("2020-01-01T00:00:00Z");
const validUntil = new Date("2049-12-31T00:00:00Z");
const algorithm = der.sequence(der.objectId("1.2.840.10045.4.3.2")); // ECDSA with SHA-256.

/** Returns the certificate in the file, or a new one if the file is missing or names another address. The authority's key is not kept. */
export async function openCertificate(path: string, host: string): Promise<MediaCertificate> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  const stored = text === undefined ? undefined : parse(text);
  if (stored !== undefined && new X509Certificate(stored.cert).checkIP(host) !== undefined) return stored;
  const made = makeCertificate(host);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(made), { mode: 0o600 });
  return made;
}

function makeCertificate(host: string): MediaCertificate {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = "Sandbox media authority";
  const keyId = keyIdOf(authority.publicKey);
  const issuer = { name, key: authority.privateKey };
  const ca = certificate({
    issuer,
    subject: name,
    publicKey: authority.publicKey,
    extensions: [basicConstraints(true), keyUsage(0x06, 1), subjectKeyId(keyId)],
  });
  const cert = certificate({
    issuer,
    subject: host,
    publicKey: server.publicKey,
    extensions: [
      basicConstraints(false),
      keyUsage(0x80, 7),
      extension("2.5.29.37", false, der.sequence(der.objectId("1.3.6.1.5.5.7.3.1"))),
      serverNames(host),
      subjectKeyId(keyIdOf(server.publicKey)),
      authorityKeyId(keyId),
    ],
  });
  return { ca, key: server.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert };
}

interface Draft {
  readonly issuer: { readonly name: string; readonly key: KeyObject };
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

/** Returns an X.509 version 3 certificate in PEM. */
function certificate({ issuer, subject, publicKey, extensions }: Draft): string {
  const serial = Buffer.concat([Buffer.of(0x01), randomBytes(15)]);
  const body = der.sequence(
    der.tagged(0, der.integer(Buffer.of(2))),
    der.integer(serial),
    algorithm,
    commonName(issuer.name),
    der.sequence(der.time(validFrom), der.time(validUntil)),
    commonName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der.tagged(3, der.sequence(...extensions)),
  );
  const signature = sign("sha256", body, issuer.key);
  return new X509Certificate(der.sequence(body, algorithm, der.bits(signature))).toString();
}

function commonName(text: string): Buffer {
  return der.sequence(der.set(der.sequence(der.objectId("2.5.4.3"), der.text(text))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return der.sequence(der.objectId(id), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

function basicConstraints(isAuthority: boolean): Buffer {
  return extension("2.5.29.19", true, der.sequence(...(isAuthority ? [der.boolean(true)] : [])));
}

function keyUsage(bits: number, unused: number): Buffer {
  return extension("2.5.29.15", true, der.bits(Buffer.of(bits), unused));
}

/** The IPv4 address, "localhost", and the blob host that clients have built in, for tests that redirect it here. */
function serverNames(host: string): Buffer {
  const names = ["localhost", "mmg.whatsapp.net"].map((name) => der.tagged(2, Buffer.from(name), true));
  return extension("2.5.29.17", false, der.sequence(...names, der.tagged(7, Buffer.from(host.split(".").map(Number)), true)));
}

function subjectKeyId(id: Buffer): Buffer {
  return extension("2.5.29.14", false, der.octets(id));
}

function authorityKeyId(id: Buffer): Buffer {
  return extension("2.5.29.35", false, der.sequence(der.tagged(0, id, true)));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash("sha1")
    .update(key.export({ type: "spki", format: "der" }))
    .digest();
}
