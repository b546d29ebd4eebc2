import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Answer {
  /** Whether the device says that it checked who uses it. */
  userVerified?: boolean;
  origin: string;
}

const UP = 0x01;
const UV = 0x04;
const ATTESTED = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

/** A device that holds one passkey and answers the two ceremonies of WebAuthn (ES256). */
export function createAuthenticator(id = randomBytes(16)) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  function authenticatorData(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }

  return {
    id,

    /** Answers navigator.credentials.create. */
    create(
      options: { challenge: string; rp: { id: string } },
      { userVerified = true, origin }: Answer,
    ) {
      const flags = UP | ATTESTED | (userVerified ? UV : 0);
      const data = Buffer.concat([
        authenticatorData(options.rp.id, flags),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey.export({ format: 'jwk' })),
      ]);
      return envelope(id, {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, origin)),
        attestationObject: base64url(attestation(data)),
        transports: ['internal'],
      });
    },

    /** Answers navigator.credentials.get. */
    get(options: { challenge: string; rpId: string }, { userVerified = true, origin }: Answer) {
      const data = authenticatorData(options.rpId, UP | (userVerified ? UV : 0));
      const client = clientData('webauthn.get', options.challenge, origin);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return envelope(id, {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      });
    },
  };
}

function envelope(id: Buffer, response: object) {
  const name = base64url(id);
  return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response };
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** CBOR of a P-256 key: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey({ x = '', y = '' }: { x?: string; y?: string }): Buffer {
  const bytes = (text: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]);
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([head, Buffer.from([0x21]), bytes(x), Buffer.from([0x22]), bytes(y)]);
}

/** CBOR of {fmt: 'none', attStmt: {}, authData}. */
function attestation(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, authData.length]),
    authData,
  ]);
}
