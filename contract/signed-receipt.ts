/** What was bought, of whom, for how much and when: the signed part of a signed receipt. */
export interface ReceiptStatement {
  padlink: 'signed receipt';
  /** Absent from those of before tax and operator were stated. */
  format?: 2;
  /** PUBLIC_URL of the site that sold it. */
  site: string;
  mode: 'test' | 'live';
  purchase: string;
  /** ISO 8601, UTC. */
  paidAt: string;
  /** '4.99' */
  price: string;
  /** What was added to the price: '1.00'. Since format 2. */
  tax?: string;
  /** What was paid: '5.99'. Since format 2. */
  total?: string;
  /** 'USD' */
  currency: string;
  /** Its name then; null for a seller without one, or whose account was deleted since. */
  seller: string | null;
  /** Who runs the site and was paid, as far as its settings said when it was signed. Since format 2. */
  operator?: { name: string | null; address: string | null };
  title: string | null;
  link: string;
  /** Of the link's content. */
  version: number;
  /** Empty for a web address. */
  files: { name: string; bytes: number; sha256: string }[];
  /** The web address that was bought; null for files. */
  address: string | null;
  /** Where it can be verified. */
  verify: string;
  /** Id of the key that signed. */
  key: string;
}

/** A public key as RFC 7517 and RFC 8037 write it, with the time for which it signed. */
export interface ReceiptKey {
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  use: 'sig';
  kid: string;
  /** 32 bytes, base64url. */
  x: string;
  /** ISO 8601, UTC. */
  created: string;
  /** Null for the one in use. */
  retired: string | null;
}

const BEGIN = '-----BEGIN SIGNATURE-----';
const END = '-----END SIGNATURE-----';

/** How a signed receipt is verified without this product, and a file compared with it. */
export function opensslLines(site: string, key: string): string[] {
  return [
    `curl -so key.pem ${site}/.well-known/padlink-receipt-keys/${key}.pem`,
    "sed '/^-----BEGIN SIGNATURE/,$d' receipt.txt > statement.json",
    "sed '1,/^-----BEGIN SIGNATURE/d;/^-----END/d' receipt.txt | openssl base64 -d > signature.bin",
    'openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in statement.json -sigfile signature.bin',
    'openssl dgst -sha256 FILE',
  ];
}

/** The bytes that are signed, as text: of no statement is there another spelling. */
export function writeStatement(statement: ReceiptStatement): string {
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** A signed receipt, as it is kept. @param signature 64 bytes, base64 */
export function writeSignedReceipt(statement: string, signature: string): string {
  const lines = signature.match(/.{1,64}/g) ?? [];
  return `${statement}${[BEGIN, ...lines, END].join('\n')}\n`;
}

/** A signed receipt as it was read, before anything in it is believed. */
export interface UnverifiedReceipt {
  signed: Uint8Array<ArrayBuffer>;
  signature: Uint8Array<ArrayBuffer>;
  statement: ReceiptStatement;
}

/** The parts of a signed receipt; null where it is none. */
export function readSignedReceipt(bytes: Uint8Array): UnverifiedReceipt | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const end = text.indexOf(`\n${BEGIN}`) + 1;
    const [, signature] = new RegExp(`^${BEGIN}\\s+([\\w+/=\\s]+?)\\s+${END}\\s*$`).exec(
      text.slice(end),
    ) ?? [''];
    const statement = JSON.parse(text.slice(0, end));
    if (signature === undefined || typeof statement?.key !== 'string') return null;
    return {
      signed: new TextEncoder().encode(text.slice(0, end)),
      signature: Uint8Array.from(atob(signature), (byte) => byte.charCodeAt(0)),
      statement,
    };
  } catch {
    return null;
  }
}
