import { expect, test } from 'vitest';
import { describeContents } from './describe-contents.ts';
import { putIntoEnglish } from './fact.ts';

const MB = 1_000_000;
const pdf = { mediaType: 'application/pdf', size: MB, pages: 15 };
const text = { mediaType: 'text/plain', size: MB };
const other = { mediaType: 'application/octet-stream', size: MB };

test.each([
  [[], ['Web address']],
  [[pdf], ['PDF document, 1.0 MB, 15 pages']],
  [
    [pdf, text, pdf],
    ['3 files, 3.0 MB', '2 PDF documents (30 pages)', '1 text file'],
  ],
  [
    [{ ...other, mediaType: 'image/png' }, { ...other, mediaType: 'application/x-tar' }, other],
    ['3 files, 3.0 MB', '1 image', '1 archive', '1 other file'],
  ],
  [[other, other], ['2 files, 2.0 MB']],
])('of %j a buyer reads %j', (files, words) => {
  expect(describeContents(files).map(putIntoEnglish)).toEqual(words);
});
