import { createHash, pbkdf2Sync, randomBytes } from "node:crypto";
import { Api } from "telegram";
import bigInt from "big-integer";
import { computeCheck } from "telegram/Password.js";
import { describe, expect, test } from "vitest";
import { solvePasswordChallenge } from "../../../../shard/telegram/two-step/srp.js";

const prime = Buffer.from(
  "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4dbfa336f6e0ac925139543aed44cce7c37" +
    "20fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f642477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4" +
    "a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4" +
    "e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b",
  "hex",
);
const p = BigInt(`0x${prime.toString("hex")}`);
const sha256 = (...parts: Buffer[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();
const toBig = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex")}`);
const padded = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(512, "0"), "hex");
const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  for (let b = base % p, e = exponent; e > 0n; e >>= 1n, b = (b * b) % p) if (e & 1n) result = (result * b) % p;
  return result;
};

/** The platform's side of the exchange, written from the protocol's description. */
function server(password: string, g = 3): { challenge: Api.account.Password; accepts: (proof: Api.InputCheckPasswordSRP) => boolean } {
  const [salt1, salt2] = [randomBytes(40), randomBytes(16)];
  const inner = sha256(salt2, sha256(salt1, Buffer.from(password), salt1), salt2);
  const x = toBig(sha256(salt2, pbkdf2Sync(inner, salt1, 100_000, 64, "sha512"), salt2));
  const v = power(BigInt(g), x);
  const b = toBig(randomBytes(256));
  const k = toBig(sha256(prime, padded(BigInt(g))));
  const serverValue = (k * v + power(BigInt(g), b)) % p;
  const challenge = new Api.account.Password({
    hasPassword: true,
    currentAlgo: new Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow({ salt1, salt2, g, p: prime }),
    srp_B: padded(serverValue),
    srpId: bigInt(7),
    newAlgo: new Api.PasswordKdfAlgoUnknown(),
    newSecureAlgo: new Api.SecurePasswordKdfAlgoUnknown(),
    secureRandom: randomBytes(16),
  });
  const accepts = (proof: Api.InputCheckPasswordSRP): boolean => {
    const a = toBig(proof.A);
    const u = toBig(sha256(padded(a), padded(serverValue)));
    const key = sha256(padded(power(a * power(v, u), b)));
    const mixed = Buffer.from(sha256(prime).map((byte, index) => byte ^ (sha256(padded(BigInt(g)))[index] ?? 0)));
    return sha256(mixed, sha256(salt1), sha256(salt2), padded(a), padded(serverValue), key).equals(proof.M1);
  };
  return { challenge, accepts };
}

describe("answerPasswordChallenge", () => {
  test.each(["correct horse", "пароль🔑", ""])("proves the password %j, as GramJS's own computation does", async (password) => {
    const { challenge, accepts } = server(password);
    expect(accepts(await solvePasswordChallenge(challenge, password))).toBe(true);
    expect(accepts(await computeCheck(challenge, password))).toBe(true);
    expect(accepts(await solvePasswordChallenge(challenge, `${password}x`))).toBe(false);
  });

  test("works with every generator, and with secrets of any size", async () => {
    for (const g of [4, 5, 7]) {
      const { challenge, accepts } = server("pw", g);
      expect(accepts(await solvePasswordChallenge(challenge, "pw", Buffer.alloc(256, 0xff)))).toBe(true);
    }
    const { challenge, accepts } = server("pw");
    // A secret with a small power would reveal the password, so the function chooses another one.
    expect(accepts(await solvePasswordChallenge(challenge, "pw", Buffer.from([2])))).toBe(true);
  });

  test("refuses parameters that are not the platform's", async () => {
    const { challenge } = server("pw");
    const algo = challenge.currentAlgo;
    if (!(algo instanceof Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow)) throw new Error("unexpected algorithm");
    const weak = Buffer.from(prime);
    weak[255] = 1;
    for (const change of [{ p: weak }, { g: 2 }]) {
      Object.assign(challenge, {
        currentAlgo: new Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow({
          salt1: algo.salt1,
          salt2: algo.salt2,
          g: algo.g,
          p: algo.p,
          ...change,
        }),
      });
      await expect(solvePasswordChallenge(challenge, "pw")).rejects.toThrow("not safe");
    }
    Object.assign(challenge, { currentAlgo: algo, srp_B: Buffer.alloc(256) });
    await expect(solvePasswordChallenge(challenge, "pw")).rejects.toThrow("out of range");
    Object.assign(challenge, { srp_B: prime });
    await expect(solvePasswordChallenge(challenge, "pw")).rejects.toThrow("out of range");
  });
});
