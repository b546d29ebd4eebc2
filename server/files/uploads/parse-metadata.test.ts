import { expect, test } from 'vitest';
import { formatMetadata, parseMetadata } from '../tus.ts';

test('reads names of every script, in any order and spacing', () => {
  const header = formatMetadata({
    filename: 'Étude "n°1", 日本.pdf',
    unknown: 'x',
    id: '0a1b2c3d',
  });
  expect(parseMetadata(header.replaceAll(',', ' , '))).toEqual({
    fileName: 'Étude "n°1", 日本.pdf',
    mediaType: 'application/octet-stream',
    linkId: '0a1b2c3d',
  });
});

test.each([
  ['mix.txt', 'track1/mix.txt', 'track1/mix.txt'],
  ['mix.txt', '/track1/stems/mix.txt', 'track1/stems/mix.txt'],
  ['renamed.txt', 'track1/mix.txt', 'track1/renamed.txt'],
  ['mix.txt', 'mix.txt', 'mix.txt'],
  ['mix.txt', 'null', 'mix.txt'],
  ['mix.txt', '', 'mix.txt'],
  ['track2/mix.txt', 'track1/mix.txt', 'track2/mix.txt'],
])('reads that %s has the relative path %j as %s', (filename, relativePath, fileName) => {
  expect(parseMetadata(formatMetadata({ filename, relativePath }))).toMatchObject({ fileName });
});

test('a key may have no value', () => {
  expect(parseMetadata('is_public,filename ')).toMatchObject({ fileName: '' });
});

test.each([
  undefined,
  '',
  ',',
  'filename YQ==,',
  'filename YQ== YQ==',
  'filename YQ==,filename Yg==',
  'filename YQ',
  'filename Y Q==',
  'filename /+8=',
  'filename %',
])('refuses %j', (header) => {
  expect(() => parseMetadata(header)).toThrow(/Upload-Metadata/);
});
