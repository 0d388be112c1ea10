import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificates {
  /** Certificates and keys as PEM texts and files. */
  readonly ca: string;
  readonly caFile: string;
  readonly server: KeyPair;
  readonly client: KeyPair;
  /** Signed by another authority. */
  readonly unrelated: KeyPair;
}

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Creates an authority, a server certificate for 127.0.0.1, a client certificate, and a client certificate of an unknown authority. */
export function makeCertificates(folder: string): Certificates {
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { stdio: "pipe" });
  const authority = (name: string): void =>
    openssl(
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(" "),
      ...["-subj", `/CN=${name}`, "-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)],
    );
  const pair = (name: string, signer: string): KeyPair => {
    openssl(
      ..."req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes".split(" "),
      ...["-subj", `/CN=${name}`, "-keyout", file(`${name}.key`), "-out", file(`${name}.csr`)],
    );
    writeFileSync(file("names"), "subjectAltName=IP:127.0.0.1");
    openssl(
      ...["x509", "-req", "-days", "2", "-in", file(`${name}.csr`), "-CA", file(`${signer}.pem`), "-CAkey", file(`${signer}.key`)],
      ...["-CAcreateserial", "-extfile", file("names"), "-out", file(`${name}.pem`)],
    );
    const [certFile, keyFile] = [file(`${name}.pem`), file(`${name}.key`)];
    return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8"), certFile, keyFile };
  };
  for (const name of ["ca", "other"]) authority(name);
  return {
    ca: readFileSync(file("ca.pem"), "utf8"),
    caFile: file("ca.pem"),
    server: pair("server", "ca"),
    client: pair("client", "ca"),
    unrelated: pair("stranger", "other"),
  };
}
