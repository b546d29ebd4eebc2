import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { holdsControls, seenText } from '../../../contract/characters.ts';
import { checkChoice } from '../../../contract/choice-rules.ts';
import type { Fact } from '../../../contract/fact.ts';
import { isLanguage } from '../../../contract/languages.ts';
import {
  MAX_DEVICE_LENGTH,
  MAX_FILES_PER_LINK,
  MAX_LICENSE_DEVICES,
  MAX_LICENSE_KEY_LENGTH,
  MAX_PARTS,
} from '../../../contract/limits.ts';
import {
  checkFilePath,
  PREVIEWS,
  tidyDescription,
  tidyTitle,
} from '../../../contract/link-rules.ts';
import { SALE_MAILS } from '../../../contract/notifications.ts';
import {
  checkAbout,
  checkHandle,
  checkSellerLinks,
  checkShortName,
  tidyHandle,
} from '../../../contract/seller-rules.ts';
import {
  validateDescription,
  validateTargetUrl,
  validateTitle,
} from '../../catalog/links/validate.ts';
import { validateSellerName } from '../../catalog/sellers/seller-name.ts';
import { sanitizeFilePath, validMediaType } from '../../files/start-upload.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { syncFolder } from '../../ground/lib/durable.ts';
import { checkFirstName } from '../../people/accounts/first-name.ts';
import { findDiscountFault } from '../../selling/discounts/create-discount.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import type { StoredObject } from '../backup/object-folder.ts';

/** Raised when a reader of the earlier format would misread an export. */
export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const MANIFEST_DRAFT = `${MANIFEST}.draft`;
export const LINES = 'account.ndjson';
export const OBJECTS = 'objects';
export const REMEDY = 'Export the account again.';

/** A text that the product itself keeps as it is. */
const asKept = (keep: (text: string) => string | null) =>
  z.string().refine((text) => {
    try {
      return keep(text) === text;
    } catch {
      return false;
    }
  });
const json = (schema: z.ZodType) =>
  asKept((text) => (schema.safeParse(JSON.parse(text)).success ? text : null));

/** A text that the product would take, already tidy. */
const asTidy = (tidy: (text: string) => string, check: (text: string) => Fact | undefined) =>
  asKept((text) => (check(tidy(text)) ? null : tidy(text)));

const id = z.string().regex(/^[\w-]{1,255}$/);
/** Null in place of a text that nobody sees: there were some before they were refused. */
const seen = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((text) => (typeof text === 'string' ? seenText(text) : text), schema.nullable());
const title = seen(asKept(validateTitle));
const sellerName = seen(asKept(validateSellerName));
const mediaType = asKept(validMediaType);
const text = z.string().nullable();
const time = z.int().nonnegative();
const count = z.int().nonnegative();
const pixels = z.int().positive().nullable();
const flag = z.union([z.literal(0), z.literal(1)]);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const linkId = z.string().regex(/^[0-9a-f]{8}$/);
const blob = z.string().regex(/^[0-9a-f]{32}$/);
const object = { sha256, bytes: count };
const shown = z
  .string()
  .min(1)
  .refine((text) => !holdsControls(text));
const licenseKey = shown.max(MAX_LICENSE_KEY_LENGTH);
const device = shown.max(MAX_DEVICE_LENGTH);
const shortName = asTidy(tidyHandle, checkShortName);

const ACCOUNT = z.object({
  kind: z.literal('account'),
  id,
  email: z
    .email({ pattern: z.regexes.unicodeEmail })
    .lowercase()
    .max(254)
    .transform(canonicalAddress),
  /** Empty where a sign-in service gave none. */
  first_name: z.string().refine((name) => name === '' || 'value' in checkFirstName(name)),
  created_at: time,
  seller_name: sellerName,
  /** These two are absent from exports made before there were any. */
  language: z.string().refine(isLanguage).default('en'),
  notifications: z
    .object({
      sales: z.enum(SALE_MAILS),
      weekly: flag,
      told_week: count,
      /** They trust the keys of the exporting installation alone. */
      browsers: z.array(z.object({ created_at: time })),
    })
    .nullable()
    .default(null),
});

const FILE = z.object({
  kind: z.literal('file'),
  key: z.string(),
  blob,
  link_id: linkId,
  name: asKept(sanitizeFilePath).refine((path) => !checkFilePath(path)),
  size_bytes: count,
  media_type: mediaType,
  created_at: time,
  finished_at: time,
  sha256,
  crc32: z.int().nullable(),
  /** Null where it was not checked yet. */
  checked_at: time.nullable(),
  refused_because: text,
  facts: json(z.record(z.string(), z.unknown())).nullable(),
});

const LINK = z.object({
  kind: z.literal('link'),
  id: linkId,
  type: z.enum(['file', 'link', 'bundle']),
  title,
  description: seen(asKept(validateDescription)),
  price_cents: count,
  /** These four are absent from exports made before there were any. */
  least_cents: count.nullable().default(null),
  copies: count.nullable().default(null),
  sold_until: time.nullable().default(null),
  short_name: shortName.nullable().default(null),
  /** The others that lead to it; absent from exports made before they were in them. */
  earlier_short_names: z.array(shortName).default([]),
  /** So are these three. */
  license_keys: z.enum(['generated', 'list', 'off']).nullable().default(null),
  license_devices: z.int().positive().max(MAX_LICENSE_DEVICES).nullable().default(null),
  /** Those that nobody has bought, in their order. */
  free_license_keys: z.array(licenseKey).default([]),
  unlocked: flag,
  paused: flag,
  noindex: flag,
  unlisted: flag,
  cover: blob.nullable(),
  cover_width: pixels,
  cover_height: pixels,
  preview: z.enum(PREVIEWS),
  preview_blob: blob.nullable(),
  preview_media_type: z
    .string()
    .regex(/^(image\/webp|audio\/(mpeg|wav))$/)
    .nullable(),
  preview_width: pixels,
  preview_height: pixels,
  preview_failed: flag,
  /** These two are absent from exports made before there were any. */
  stamp: flag.default(0),
  stamp_failed: flag.default(0),
  /** So are these three. */
  choice_group: z
    .string()
    .regex(/^[\da-f]{16}$/)
    .nullable()
    .default(null),
  choice: asTidy(tidyTitle, checkChoice).nullable().default(null),
  choice_place: count.nullable().default(null),
  size_bytes: count.nullable(),
  media_type: mediaType.nullable(),
  content_version: z.int().positive(),
  created_at: time,
  updated_at: time,
  deleted_at: time.nullable(),
  views: count,
  checkouts: count,
  sales: count,
  refunds: count,
  versions: z.array(
    z.object({
      number: z.int().positive(),
      url: asKept(validateTargetUrl).nullable(),
      created_at: time,
      files_deleted_at: time.nullable(),
      /** In order. */
      file_keys: z.array(z.string()).max(MAX_FILES_PER_LINK),
      /** Of a bundle, in order; absent from exports made before there were any. */
      parts: z.array(linkId).max(MAX_PARTS).default([]),
    }),
  ),
  /** Of cover and preview. */
  pictures: z.array(z.object({ blob, ...object })),
});

const PAGE = z.object({
  kind: z.literal('page'),
  /** What its address ends with. */
  handle: asTidy(tidyHandle, checkHandle).nullable(),
  about: seen(asTidy(tidyDescription, checkAbout)),
  /** The web addresses that it leads to, in order. */
  links: z.array(z.string()).refine((links) => !checkSellerLinks(links)),
  picture: blob.nullable(),
  picture_width: pixels,
  picture_height: pixels,
  /** The last pinned one first. */
  pinned: z.array(linkId),
  pictures: z.array(z.object({ blob, ...object })),
});

const DISCOUNT = z
  .object({
    kind: z.literal('discount'),
    code: z.string(),
    percent: count.nullable(),
    amount_cents: count.nullable(),
    minimum_cents: count.nullable(),
    starts_at: time.nullable(),
    ends_at: time.nullable(),
    /** What is left of them. */
    max_uses: count.nullable(),
    max_uses_of_buyer: count.nullable(),
    /** Null for all links of the account. */
    link_ids: z.array(linkId).nullable(),
    created_at: time,
  })
  .refine(
    (line) =>
      !findDiscountFault(
        {
          code: line.code,
          percent: line.percent,
          amountCents: line.amount_cents,
          minimumCents: line.minimum_cents,
          startsAt: line.starts_at,
          endsAt: line.ends_at,
          maxUses: line.max_uses,
          maxUsesOfBuyer: line.max_uses_of_buyer,
          links: line.link_ids,
        },
        line.created_at,
      ),
  );

const LICENSE_KEY = z
  .object({
    link_id: linkId,
    /** Null while it is owed; by the other it is found. */
    key: licenseKey.nullable(),
    lookup: licenseKey.nullable(),
    created_at: time,
    given_at: time,
    activations: z.array(z.object({ device, activated_at: time })),
  })
  .refine(({ key, lookup }) => (key === null) === (lookup === null));

const SALE = z.object({
  kind: z.literal('sale'),
  id,
  link_id: linkId,
  content_version: z.int().positive(),
  /** What the purchase of a bundle brings. */
  parts: z.array(z.object({ link_id: linkId, content_version: z.int().positive() })).default([]),
  claim_hash: sha256,
  price_cents: count,
  fee_cents: count,
  taxed: flag,
  tax_cents: count,
  currency: z.string(),
  buyer_email: text,
  /** The address of the account that holds it, where one does and still exists. */
  buyer_account: text,
  /** Whom it was given to. */
  gift_email: text.default(null),
  gift_message: text.default(null),
  gift_opened_at: time.nullable().default(null),
  /** These two are absent from exports made before they were in them. */
  language: z.string().refine(isLanguage).default('en'),
  /** The discount code that it used, where the export has it. */
  code: z.string().nullable().default(null),
  created_at: time,
  settled_at: time,
  title,
  seller_name: sellerName,
  grant: z.object({
    id,
    state: z.enum(['active', 'suspended', 'ended']),
    created_at: time,
    updated_at: time,
    wants_versions: flag,
    told_version: count,
  }),
  claims: z.array(z.object({ claim_hash: sha256, claimed_at: time, proven: flag })),
  /** SHA-256 of the personal links that open it. */
  personal_links: z.array(sha256),
  delivered: z.array(
    z.object({
      file_key: z.string(),
      ranges: json(z.array(z.tuple([count, count]))),
      bytes: count,
    }),
  ),
  /** Of the link, or of the parts of a bundle. */
  license_keys: z.array(LICENSE_KEY).default([]),
  /** Those that succeeded. */
  refunds: z.array(
    z.object({
      id,
      amount_cents: count,
      reason: text,
      requested_by: z.enum(['creator', 'operator', 'buyer']).nullable(),
      created_at: time,
    }),
  ),
});

const DAY = z.object({
  kind: z.literal('day'),
  /** Whole UTC days since 1970. */
  day: count,
  views: count,
  checkouts: count,
  swept_checkouts: count,
  sales: count,
  refunds: z.int(),
  net_cents: z.int(),
  returned_cents: z.int(),
});

const LINE = z.discriminatedUnion('kind', [ACCOUNT, FILE, LINK, PAGE, DISCOUNT, SALE, DAY]);
export type Line = z.infer<typeof LINE>;
export type LineOf<Kind extends Line['kind']> = Extract<Line, { kind: Kind }>;

const HEAD = z.object({
  padlink: z.literal('account'),
  format: z.int(),
  /** Of the product that made it. */
  version: z.string(),
  installation: z.string(),
  /** ISO 8601. */
  exported_at: z.string(),
});

const CONTENT = z.object({
  account: ACCOUNT.pick({ id: true, email: true }),
  /** Of the sales; null where there are none. */
  mode: z.enum(['test', 'live']).nullable(),
  /** What the exporting installation owes the account: it goes on owing it. */
  owed_cents: z.int(),
  files: count,
  file_bytes: count,
  links: count,
  sales: count,
  lines: count,
  account_ndjson: z.object(object),
});

export type ExportManifest = z.infer<typeof HEAD> & z.infer<typeof CONTENT>;

/** Writes a manifest, which ends with the SHA-256 of all else in it: whole, or not at all. */
export async function writeManifest(folder: string, manifest: ExportManifest): Promise<void> {
  const draft = join(folder, MANIFEST_DRAFT);
  await using file = await open(draft, 'w', 0o600);
  const text = JSON.stringify({ ...manifest, sha256: hashOf(manifest) }, null, 2);
  await file.writeFile(`${text}\n`);
  await file.sync();
  await rename(draft, join(folder, MANIFEST));
  await syncFolder(folder);
}

const hashOf = (value: object) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Reads the manifest of an export and compares its checksum.
 * @throws BackupRefused where there is no whole export, or one that this version cannot read
 */
export async function readManifest(folder: string): Promise<ExportManifest & { sha256: string }> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new BackupRefused(`There is no exported account in ${folder}.`);
  });
  const { sha256, ...written } = parse(text) ?? {};
  const head = HEAD.safeParse(written).data;
  if (!head || sha256 !== hashOf(written)) {
    throw new BackupRefused(`${path} is damaged: its checksum is wrong. ${REMEDY}`);
  }
  if (head.format !== FORMAT) {
    throw new BackupRefused(
      `The account in ${folder} was exported by Padlink ${head.version}, in a format that this version cannot read. Import it with that version.`,
    );
  }
  const content = CONTENT.safeParse(written);
  if (!content.success) throw new BackupRefused(`${path} is not valid: ${whereOf(content.error)}.`);
  return { ...head, ...content.data, sha256 };
}

const whereOf = ({ issues }: z.ZodError) => issues[0]?.path.join('.');

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @throws BackupRefused for a line that says something else */
export async function* readLines(folder: string): AsyncGenerator<Line> {
  const path = join(folder, LINES);
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    number += 1;
    const line = LINE.safeParse(parse(text));
    if (line.success) yield line.data;
    else throw new BackupRefused(`Line ${number} of ${path} is not valid: ${whereOf(line.error)}.`);
  }
}

/** What of a line is in the objects. */
export function objectsOf(line: Line): (StoredObject & { blob: string })[] {
  if (line.kind === 'link' || line.kind === 'page') return line.pictures;
  if (line.kind !== 'file') return [];
  return [{ blob: line.blob, sha256: line.sha256, bytes: line.size_bytes }];
}
