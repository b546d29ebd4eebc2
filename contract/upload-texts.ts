import { texts } from './fact.ts';

/** Messages of the specification's error catalog (§5 and §8) on the upload page, to the letter. */
export const UPLOAD_TEXTS = texts({
  selectFile: 'Select a file first.',
  invalidPrice: 'Enter a valid price greater than $0.',
  notAuthenticated: 'User not authenticated.',
  uploadFailed: 'Failed to upload.',
  uploadDone: 'Upload successful. Paywall link created.',
});
