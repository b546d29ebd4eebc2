import { expect, test } from 'vitest';
import { sniffMediaType } from './sniff-media-type.ts';

test.each([
  ['%PDF-1.7\n', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x20ftypavif', 'image/avif'],
  ['\0\0\0\x20ftypqt  ', 'video/quicktime'],
  ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
  ['ID3\x04\0', 'audio/mpeg'],
  ['PK\x03\x04\x14\0setup.exe', 'application/zip'],
  ['PK\x03\x04\x14\0mimetypeapplication/epub+zip', 'application/epub+zip'],
  ['hello, world\n', 'text/plain'],
  ['name,price\r\n1,2\r\n', 'text/plain'],
  ['<!-- hi -->\n<!DOCTYPE html><title>x</title>', 'text/html'],
  ['<script>alert(1)</script>', 'text/html'],
  ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
  ['<?xml version="1.0"?>\n<!-- x -->\n<svg onload="alert(1)"/>', 'image/svg+xml'],
  ['<?xml version="1.0"?><feed/>', 'text/xml'],
  ['RewriteEngine On\n', 'text/plain'],
  // A picture that is a script as well stays a picture.
  ['GIF89a/*\x01\0*/=1;alert(1)', 'image/gif'],
  ['\x01\x02\x03\x04', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j is told by its first bytes', (beginning, type) => {
  expect(sniffMediaType(Buffer.from(beginning, 'latin1'))).toBe(type);
});

test('a text is one also where a character is cut off at the end of what is read', () => {
  expect(sniffMediaType(Buffer.from(`${'a'.repeat(4095)}é`))).toBe('text/plain');
});
