import { createHmac, randomBytes } from 'node:crypto';
import { ReadableStream as WebStream } from 'node:stream/web';
import { BackupRefused } from './backup-refused.ts';

/** How the files of a backup are written: as they are, or so that only a key opens them. */
export interface Cipher {
  /** The name of a file, in hexadecimal. One that is sealed is to tell nothing of what is in it. */
  nameOf(sha256: string): string;
  /** Whether a file of so many bytes on the disk may hold so many bytes whole. */
  fits(size: number, bytes: number): boolean;
  seal(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** @throws Error for what it cannot open */
  open(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Everybody who has the file reads it. */
export const PLAIN: Cipher = {
  nameOf: (sha256) => sha256,
  fits: (size, bytes) => size === bytes,
  seal: (chunks) => chunks,
  open: (chunks) => chunks,
};

/** Bytes that age seals at once, and those that it adds to them (https://c2sp.org/age). */
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/**
 * Seals files for the owners of age keys, each in a form that other programs for age open too. A
 * passphrase would lie on the server, which could then open every backup.
 * @param recipients such as "age1…"
 * @param nameKey hides what the names say of the files; with the same one, a file keeps its name
 * @throws BackupRefused for what is no recipient
 */
export async function sealFor(recipients: string[], nameKey: string): Promise<Cipher> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      // Or it may be the private one.
      const named = recipient.startsWith('age1') ? `“${recipient}”` : 'What follows --encrypt-to';
      throw new BackupRefused(
        `${named} is no public key of age: it begins with age1, and “age-keygen -y FILE” prints it.`,
      );
    }
  }
  const { length: emptyBytes } = await encrypter.encrypt('');
  return {
    ...hideNames(nameKey),
    fits(size, bytes) {
      const further = Math.max(1, Math.ceil(bytes / CHUNK_BYTES)) - 1;
      return size === emptyBytes + bytes + further * TAG_BYTES;
    },
    async *seal(chunks) {
      // The library may still read one when the next takes its place.
      const kept = async function* () {
        for await (const chunk of chunks) yield Uint8Array.from(chunk);
      };
      yield* readWeb(await encrypter.encrypt(toWeb(kept())));
    },
    open() {
      throw new Error('What is sealed for others cannot be opened');
    },
  };
}

/**
 * Opens what was sealed for one of these keys.
 * @param identities such as "AGE-SECRET-KEY-1…"
 * @throws BackupRefused for what is no key
 */
export async function openWith(identities: string[], nameKey: string): Promise<Cipher> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new BackupRefused('A line of the file of --identity is no key of age.');
    }
  }
  return {
    ...hideNames(nameKey),
    // Only its end tells.
    fits: () => true,
    seal() {
      throw new Error('Nothing is sealed while a backup is restored');
    },
    async *open(chunks) {
      const opened = decrypter.decrypt(toWeb(chunks)).catch((error: Error) => {
        const isForOthers = error.message.startsWith('no identity matched');
        throw isForOthers ? new BackupRefused('None of the keys opens this backup.') : error;
      });
      yield* readWeb(await opened);
    },
  };
}

/** Whether reading failed for another reason than that what was read is damaged. */
export const isFault = (error: unknown) =>
  error instanceof BackupRefused || (error as NodeJS.ErrnoException).syscall !== undefined;

/** For what is written and read again by one process, and by nobody else. */
export async function sealForOneself(): Promise<Cipher> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  const nameKey = randomBytes(32).toString('hex');
  const { open } = await openWith([identity], nameKey);
  return { ...(await sealFor([await identityToRecipient(identity)], nameKey)), open };
}

type Bytes = ReadableStream<Uint8Array>;

/** The library has the streams of browsers. */
const toWeb = (chunks: AsyncIterable<Uint8Array>) => WebStream.from(chunks) as unknown as Bytes;
const readWeb = (stream: Bytes) => stream as unknown as AsyncIterable<Uint8Array>;

const hideNames = (nameKey: string): Pick<Cipher, 'nameOf'> => ({
  nameOf: (sha256) => createHmac('sha256', nameKey).update(sha256).digest('hex'),
});
