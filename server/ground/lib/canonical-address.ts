import { domainToASCII, domainToUnicode } from 'node:url';

/** What a domain can be made of, in any script: all else would be read as part of a web address. */
const DOMAIN = /^[-.a-z0-9\u0080-\u{10ffff}]+$/u;
const ASCII = /^[\0-\x7f]*$/;

/**
 * The one form in which email addresses are compared and counted, and accounts keep theirs: without
 * regard to case, composed (NFC), its domain as mail servers look it up. What is no address stays
 * none.
 */
export function canonicalAddress(typed: string): string {
  // Composed again: in lower case, a letter may be of two parts.
  const folded = typed.trim().normalize('NFC').toLowerCase().normalize('NFC');
  const [local, domain] = split(folded);
  if (ASCII.test(domain) || !DOMAIN.test(domain)) return folded;
  return `${local}${domainToASCII(domain) || domain}`;
}

/** An address as mail is sent to it: its domain as mail servers look it up, the rest as it was typed. */
export function deliverableAddress(typed: string): string {
  const [local] = split(typed);
  const [, domain] = split(canonicalAddress(typed));
  return local + domain;
}

/** An address in the script of its domain, for people to read. */
export function readableAddress(address: string): string {
  const [local, domain] = split(address);
  return domain.includes('xn--') ? `${local}${domainToUnicode(domain) || domain}` : address;
}

function split(address: string): [local: string, domain: string] {
  const start = address.lastIndexOf('@') + 1;
  return [address.slice(0, start), address.slice(start)];
}
