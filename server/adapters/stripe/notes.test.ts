import { expect, test } from 'vitest';
import { writeNotes } from './notes.ts';

test('a note has at most the 500 characters that the provider takes, and no half one', () => {
  const message = `a${'👍🏽'.repeat(299)}`;
  const line = {
    purchaseId: 'p',
    linkId: '1a2b3c4d',
    agreedCents: 500,
    feeCents: 55,
    title: 'Notes',
    contentFingerprint: 'f',
    gift: { email: 'ann@example.com', message },
  };
  const request = { paymentId: 'pay', installationId: 'i', lines: [line] };
  const notes = writeNotes(request as unknown as Parameters<typeof writeNotes>[0]);
  const { gift_message: note = '' } = notes as { gift_message?: string };
  expect(note).toBe(message.slice(0, 499));
  expect(note.isWellFormed()).toBe(true);
});
