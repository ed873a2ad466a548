/**
 * X.509 certificates for tests, self-signed, written by hand: Node has no way to make one. DER follows ITU-T X.690, the fields RFC 5280, and the
 * signature is ECDSA with SHA-256 (RFC 5758).
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A key and its certificate, both PEM, as `https.createServer` takes them. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** Signs a certificate for a name. */
export function selfSigned({
  host,
  from = Date.now() - 86_400_000,
  to = Date.now() + 86_400_000,
}: {
  /** A DNS name, or an IPv4 address. */
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
}): Certified {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const name = sequence(set(sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(host)))));
  const isAddress = /^[\d.]+$/.test(host);
  const subject = isAddress ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    // subjectAltName: clients look at no other name.
    der(0xa3, sequence(sequence(oid(2, 5, 29, 17), der(0x04, sequence(subject))))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", toBeSigned, privateKey)]));
  const bytes = sequence(toBeSigned, algorithm, signature);
  const lines = bytes.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return der(0x31, part);
}

/** Of a positive number whose first bit is 0. */
function integer(value: Buffer): Buffer {
  return der(0x02, value);
}

/** Base 128, the first two arcs in one number. */
function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from(bytes));
}

/** GeneralizedTime: `20260131070500Z` */
function time(at: number): Buffer {
  return der(0x18, Buffer.from(new Date(at).toISOString().replace(/\.\d+|[-:T]/g, "")));
}
