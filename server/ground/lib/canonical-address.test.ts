import { describe, expect, test } from 'vitest';
import { canonicalAddress, readableAddress } from './canonical-address.ts';

test.each([
  [' Ada@Example.COM\n', 'ada@example.com'],
  ['v@b\u00fccher.example', 'v@xn--bcher-kva.example'],
  ['v@BU\u0308CHER.example', 'v@xn--bcher-kva.example'],
  ['v@XN--BCHER-KVA.example', 'v@xn--bcher-kva.example'],
  ['v@b\u00fccher\u3002example', 'v@xn--bcher-kva.example'],
  ['v@fa\u00df.example', 'v@xn--fa-hia.example'],
  ['MU\u0308LLER@example.com', 'm\u00fcller@example.com'],
  ['\u0130n@example.com', 'i\u0307n@example.com'],
  // What looks alike is not the same.
  ['\ufb01n@example.com', '\ufb01n@example.com'],
  ['"a@b"@example.com', '"a@b"@example.com'],
  // No address, in the same way each time.
  ['', ''],
  ['Ada', 'ada'],
  ['v@b\u00fc%41.example', 'v@b\u00fc%41.example'],
  ['v@b\u00fc/x.example', 'v@b\u00fc/x.example'],
  ['v@b\u00fc cher.example', 'v@b\u00fc cher.example'],
  ['v@a\u200db.\u00fc', 'v@a\u200db.\u00fc'],
  ['v@1.2', 'v@1.2'],
])('%j is compared as %j', (typed, canonical) => {
  expect(canonicalAddress(typed)).toBe(canonical);
  expect(canonicalAddress(canonical)).toBe(canonical);
});

describe('an address that is read', () => {
  test.each([
    ['v@xn--bcher-kva.example', 'v@b\u00fccher.example'],
    ['v@example.com', 'v@example.com'],
    ['xn--v@1.2', 'xn--v@1.2'],
    ['m\u00fcller@example.com', 'm\u00fcller@example.com'],
  ])('%s is %s', (address, readable) => {
    expect(readableAddress(address)).toBe(readable);
    expect(canonicalAddress(readable)).toBe(address);
  });
});
