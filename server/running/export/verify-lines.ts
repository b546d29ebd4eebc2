import { hash } from 'node:crypto';
import { putIntoEnglish } from '../../../contract/fact.ts';
import {
  checkLeast,
  checkPrice,
  fittingPreview,
  type PriceTerms,
} from '../../../contract/link-rules.ts';
import { keyOf } from '../../files/start-upload.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import type { Line, LineOf } from './format.ts';

const ORDER: Line['kind'][] = ['account', 'file', 'link', 'page', 'discount', 'sale', 'day'];

type Refuse = (fault: string) => never;

/**
 * Passes the lines of an export on, after each was compared with those before it: an export speaks of
 * nothing but its own account, so that it opens nothing that others sell here.
 * @param account as the manifest names it
 * @param terms of prices here
 * @throws BackupRefused for a line that refers to anything else, or that could not be sold here
 */
export async function* verifyLines(
  lines: AsyncIterable<Line>,
  account: { id: string; email: string },
  terms: PriceTerms,
): AsyncGenerator<Line> {
  const own = new OwnThings();
  let number = 0;
  let reached = 0;
  const refuse: Refuse = (fault) => {
    throw new BackupRefused(`Line ${number} of the export: ${fault} Nothing was imported.`);
  };
  for await (const line of lines) {
    number += 1;
    const place = ORDER.indexOf(line.kind);
    if ((number === 1) !== (line.kind === 'account') || place < reached) {
      refuse(`The kind “${line.kind}” is out of order.`);
    }
    reached = place;
    if (line.kind === 'account' && (line.id !== account.id || line.email !== account.email)) {
      refuse('The account is not the one that the manifest names.');
    }
    if (line.kind === 'file') own.addFile(line, refuse);
    if (line.kind === 'link') own.addLink(line, terms, refuse);
    if (line.kind === 'page') own.addPage(line, refuse);
    if (line.kind === 'discount') own.addDiscount(line, refuse);
    if (line.kind === 'sale') own.requireSale(line, refuse);
    yield line;
  }
  if (number === 0) refuse('The account is missing.');
}

/** What the lines so far have brought along. */
class OwnThings {
  readonly #keys = new Set<string>();
  readonly #blobs = new Set<string>();
  /** How many versions each link has. */
  readonly #versions = new Map<string, number>();
  readonly #codes = new Set<string>();
  readonly #shortNames = new Set<string>();
  /** Digests of each with its link: there may be one for every sale. */
  readonly #licenseKeys = new Set<string>();
  #hasPage = false;
  readonly #bundles = new Set<string>();

  addFile({ key, blob, link_id, name }: LineOf<'file'>, refuse: Refuse): void {
    if (key !== keyOf(link_id, name)) refuse(`The key “${key}” is not its own.`);
    if (this.#keys.has(key)) refuse(`The key “${key}” is there twice.`);
    this.#keys.add(key);
    this.#addBlob(blob, refuse);
  }

  addLink(link: LineOf<'link'>, terms: PriceTerms, refuse: Refuse): void {
    const { id, type, versions, pictures } = link;
    if (this.#versions.has(id)) refuse(`The link ${id} is there twice.`);
    if (
      link.content_version !== versions.length ||
      versions.some(({ number }, at) => number !== at + 1)
    ) {
      refuse(`The versions of the link ${id} are not counted from 1 to the one on sale.`);
    }
    for (const { number, url, file_keys, parts } of versions) {
      const isOther =
        (type === 'link') !== (url !== null) ||
        (type !== 'file' && file_keys.length > 0) ||
        (type !== 'bundle' && parts.length > 0);
      if (isOther) {
        refuse(`Version ${number} of the link ${id} sells something other than a ${type}.`);
      }
      for (const key of file_keys) this.#requireFile(key, refuse);
      for (const part of parts) this.#requirePart(part, 1, refuse);
      if (new Set(parts).size < parts.length) refuse('A bundle has a part twice.');
      if (new Set(file_keys).size < file_keys.length) refuse('A version sells a file twice.');
    }
    this.#versions.set(id, versions.length);
    if (type === 'bundle') this.#bundles.add(id);
    if (link.deleted_at === null) {
      const { price_cents: price, least_cents: least } = link;
      const fault =
        checkPrice(price, terms) ?? (least === null ? undefined : checkLeast(least, price, terms));
      if (fault) refuse(`The link ${id} could not be sold here. ${putIntoEnglish(fault)}`);
      if (type === 'file' && versions.at(-1)?.file_keys.length === 0) {
        refuse(`The link ${id} sells no file.`);
      }
    }
    if (link.preview !== 'none' && link.preview !== fittingPreview(link.media_type)) {
      refuse(`The preview of the link ${id} does not fit its file.`);
    }
    for (const name of [link.short_name, ...link.earlier_short_names]) {
      if (name === null) continue;
      if (this.#shortNames.has(name)) refuse(`The short address “${name}” is there twice.`);
      this.#shortNames.add(name);
    }
    for (const key of link.free_license_keys) this.#addLicenseKey(id, key, refuse);
    const shown = [link.cover, link.preview_blob];
    this.#addPictures(`The pictures of the link ${id}`, shown, pictures, refuse);
  }

  addPage({ picture, pinned, pictures }: LineOf<'page'>, refuse: Refuse): void {
    if (this.#hasPage) refuse('The seller’s page is there twice.');
    this.#hasPage = true;
    for (const id of pinned) this.#requireLink(id, refuse);
    this.#addPictures('The pictures of the seller’s page', [picture], pictures, refuse);
  }

  addDiscount({ code, link_ids }: LineOf<'discount'>, refuse: Refuse): void {
    if (this.#codes.has(code)) refuse(`The discount code ${code} is there twice.`);
    this.#codes.add(code);
    for (const id of link_ids ?? []) this.#requireLink(id, refuse);
  }

  requireSale(sale: LineOf<'sale'>, refuse: Refuse): void {
    const { id, link_id, content_version, parts, delivered, code } = sale;
    if (content_version > (this.#versions.get(link_id) ?? 0)) {
      refuse(
        `The sale ${id} is of version ${content_version} of the link ${link_id}, which is not in the export.`,
      );
    }
    if (parts.length > 0 && !this.#bundles.has(link_id)) {
      refuse(`The sale ${id} has parts, but is of no bundle.`);
    }
    for (const part of parts) this.#requirePart(part.link_id, part.content_version, refuse);
    if (code !== null && !this.#codes.has(code)) {
      refuse(`The discount code ${code} is not in the export.`);
    }
    for (const { file_key } of delivered) this.#requireFile(file_key, refuse);
    const brought = new Set([link_id, ...parts.map((part) => part.link_id)]);
    for (const { link_id: of, lookup } of sale.license_keys) {
      if (!brought.delete(of)) refuse(`The sale ${id} has a license key of the link ${of}.`);
      if (lookup !== null) this.#addLicenseKey(of, lookup, refuse);
    }
  }

  #addLicenseKey(linkId: string, lookup: string, refuse: Refuse): void {
    const digest = hash('sha256', `${linkId} ${lookup}`, 'buffer').toString('latin1', 0, 16);
    if (this.#licenseKeys.has(digest))
      refuse(`A license key of the link ${linkId} is there twice.`);
    this.#licenseKeys.add(digest);
  }

  #requireLink(id: string, refuse: Refuse): void {
    if (!this.#versions.has(id)) refuse(`The link ${id} is not in the export.`);
  }

  /** A link of their own that was there before, and no bundle, with at least so many versions. */
  #requirePart(id: string, version: number, refuse: Refuse): void {
    if (version > (this.#versions.get(id) ?? 0) || this.#bundles.has(id)) {
      refuse(`The part ${id} of a bundle is not in the export.`);
    }
  }

  #requireFile(key: string, refuse: Refuse): void {
    if (!this.#keys.has(key)) refuse(`The file “${key}” is not in the export.`);
  }

  #addPictures(
    what: string,
    blobs: (string | null)[],
    pictures: { blob: string }[],
    refuse: Refuse,
  ): void {
    const shown = blobs.filter((blob) => blob !== null);
    if (shown.join() !== pictures.map(({ blob }) => blob).join())
      refuse(`${what} are not its own.`);
    for (const blob of shown) this.#addBlob(blob, refuse);
  }

  #addBlob(blob: string, refuse: Refuse): void {
    if (this.#blobs.has(blob)) refuse(`The blob ${blob} is there twice.`);
    this.#blobs.add(blob);
  }
}
