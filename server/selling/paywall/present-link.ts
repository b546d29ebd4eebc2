import { seenText } from '../../../contract/characters.ts';
import type { LinkFace } from '../../../contract/drawn-cover.ts';
import { type Fact, fact, putIntoEnglish } from '../../../contract/fact.ts';
import { priceOf } from '../../../contract/links.ts';
import { nameLink } from '../../../contract/name-link.ts';
import { describePending, TAKEN_DOWN } from '../../../contract/texts.ts';
import { ALL_OWNED, INCOMPLETE, isComplete } from '../../catalog/links/bundles.ts';
import { coverOf } from '../../catalog/links/cover.ts';
import {
  findLink,
  findUrl,
  isOffered,
  type KnownLink,
  type LinkReaders,
  type LinkRow,
  type LinkSeller,
} from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { readVersions, type Version } from '../../catalog/links/versions.ts';
import { builder } from '../../edge/graphql/builder.ts';
import { describeRefused } from '../../files/check-file.ts';
import { findDamage } from '../../files/file-store.ts';
import type { StoredFile } from '../../files/tables.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { type Access, accessTo, type GivenRight, hasAll } from '../access/access.ts';
import {
  type AccessibleFile,
  chooseVersions,
  filesOfVersions,
  versionsByRights,
} from '../access/file-access.ts';
import { type BoughtKey, findBoughtKeys, findLastCheckout } from '../purchases/queries.ts';
import { soldParts } from '../purchases/sold-parts.ts';
import type { PaymentLine } from '../purchases/tables.ts';

/** What only a viewer with access ever sees of a link. */
type UnlockedContent = NonNullable<ReturnType<typeof unlock>>;

interface PreviewFile {
  /** A path of this site; another preview has another one. */
  url: string;
  mediaType: string;
  /** Pixels; null for a recording. */
  width: number | null;
  height: number | null;
}

/**
 * A link as one viewer may see it: key, url and files exist only behind `unlock`. What was not read
 * of it cannot be asked for.
 */
export class PresentedLink {
  readonly #readers: LinkReaders;
  readonly #viewer: Viewer;
  readonly #row: LinkRow;
  #access: Promise<Access> | undefined;
  #content: Promise<UnlockedContent | null> | undefined;
  #filesOnSale: Promise<StoredFile[]> | undefined;
  #partsOnSale: Promise<Link[]> | undefined;

  /** @param access where it was looked up already */
  constructor(readers: LinkReaders, viewer: Viewer, row: LinkRow, access?: Access) {
    this.#readers = readers;
    this.#viewer = viewer;
    this.#row = row;
    this.#access = access && Promise.resolve(access);
  }

  #read<Column extends keyof Link>(column: Column): Link[Column] {
    const value = (this.#row as Link)[column];
    if (value === undefined) throw new Error(`The link was read without its column ${column}`);
    return value;
  }

  #whole(): Link {
    this.#read('version');
    return this.#row as Link;
  }

  get id(): string {
    return this.#row.id;
  }
  get type(): string {
    return this.#read('type');
  }
  get isBundle(): boolean {
    return this.type === 'bundle';
  }
  get title(): string | null {
    return seenText(this.#read('title'));
  }
  get description(): string | null {
    return this.#read('description');
  }
  get owner(): string {
    return this.#read('owner_id');
  }
  /** Cents. */
  get price(): number {
    return this.#read('price_cents');
  }
  /** Cents: the minimum price that a buyer may name; null where the price is fixed. */
  get least(): number | null {
    return this.#read('least_cents');
  }
  /** How many are sold, and until when. */
  get limits(): Pick<Link, 'id' | 'type' | 'copies' | 'sold_until' | 'license_keys'> {
    return {
      id: this.id,
      type: this.#read('type'),
      copies: this.#read('copies'),
      sold_until: this.#read('sold_until'),
      license_keys: this.#read('license_keys'),
    };
  }
  /** Which license keys later buyers get. */
  get licenses(): 'generated' | 'list' | null {
    const kind = this.#read('license_keys');
    return kind === 'off' ? null : kind;
  }
  /** On how many a key may be used; null for any number. */
  get devices(): number | null {
    return this.#read('license_devices');
  }
  /** What it is called among its choices, and which they are; null where it is sold by itself. */
  get choice(): Pick<Link, 'choice' | 'choice_group'> {
    return { choice: this.#read('choice'), choice_group: this.#read('choice_group') };
  }
  /** What its short address ends with. */
  get shortName(): string | null {
    return this.#read('short_name');
  }
  get paused(): boolean {
    return this.#read('paused') === 1;
  }
  /** The creator wants no search engine to list the page. */
  get noindex(): boolean {
    return this.#read('noindex') === 1;
  }
  /** The creator keeps it out of every list too. */
  get unlisted(): boolean {
    return this.#read('unlisted') === 1;
  }
  /** The creator asks no price. */
  get free(): boolean {
    return this.#read('unlocked') === 1;
  }
  /** Bytes. */
  get size(): number | null {
    return this.#read('size_bytes');
  }
  get mediaType(): string | null {
    return this.#read('media_type');
  }
  /** Of the content on sale. */
  get version(): number {
    return this.#read('content_version');
  }
  get cover(): LinkFace['cover'] {
    return coverOf({
      cover: this.#read('cover'),
      cover_width: this.#read('cover_width'),
      cover_height: this.#read('cover_height'),
    });
  }
  get preview(): string {
    return this.#read('preview');
  }
  /** What everybody may see or hear of it, once it is made. */
  get previewFile(): PreviewFile | null {
    const blob = this.#read('preview_blob');
    const mediaType = this.#read('preview_media_type');
    const width = this.#read('preview_width');
    const height = this.#read('preview_height');
    if (!blob || !mediaType) return null;
    return { url: previewAddress(blob, mediaType), mediaType, width, height };
  }
  /** For the owner: no preview can be made of the file. */
  get previewFailed(): boolean {
    return this.mine && this.#read('preview_failed') === 1;
  }
  /** Each page of its PDFs shows who bought it. */
  get stamp(): boolean {
    return this.#read('stamp') === 1;
  }
  /** One of them cannot be stamped: its owner alone is told. */
  get stampFails(): boolean {
    return this.#read('stamp_failed') === 1;
  }
  /** UTC milliseconds. */
  get createdAt(): number {
    return this.#read('created_at');
  }
  get updatedAt(): number {
    return this.#read('updated_at');
  }
  get deletedAt(): number | null {
    return this.#read('deleted_at');
  }
  get mine(): boolean {
    return this.#viewer.creatorId === this.owner;
  }

  /** The content when this viewer has access, else null; looked up once. */
  unlock(): Promise<UnlockedContent | null> {
    this.#content ??= this.#findAccess().then((access) =>
      unlock(this.#readers.db, this.#whole(), access, () => this.findFilesOnSale()),
    );
    return this.#content;
  }

  /** The record's own value, whoever asks, and true for who bought it. */
  async isUnlocked(): Promise<boolean> {
    return this.free || ((await this.unlock())?.bought ?? []).length > 0;
  }

  async isSuspended(): Promise<boolean> {
    return (await this.#findAccess()).kind === 'suspended';
  }

  #findAccess(): Promise<Access> {
    this.#access ??= accessTo({ db: this.#readers.db, viewer: this.#viewer }, this.#whole());
    return this.#access;
  }

  /** What anyone who buys it now gets; looked up once. */
  findFilesOnSale(): Promise<StoredFile[]> {
    this.#filesOnSale ??= this.#findFilesOnSale();
    return this.#filesOnSale;
  }

  async #findFilesOnSale(): Promise<StoredFile[]> {
    const { findFiles } = this.#readers;
    if (!this.isBundle) return findFiles(this.id);
    const parts = await this.#findPartsOnSale();
    return (await Promise.all(parts.filter(isOffered).map(({ id }) => findFiles(id)))).flat();
  }

  #findPartsOnSale(): Promise<Link[]> {
    this.#partsOnSale ??= this.#readers.findParts(this.id);
    return this.#partsOnSale;
  }

  /**
   * The parts that this viewer bought or would get, without those that they may not know about;
   * null for what is no bundle.
   */
  async findParts(): Promise<PresentedLink[] | null> {
    if (!this.isBundle) return null;
    const readers = this.#readers;
    const access = await this.#findAccess();
    const grants = access.kind === 'granted' ? grantsAmong(access.rights) : [];
    const rows =
      grants.length > 0 ? await soldParts(readers.db, grants) : await this.#findPartsOnSale();
    const found = rows.map((row) => findVisibleLink(readers, this.#viewer, row));
    return (await Promise.all(found)).filter((part) => part !== null);
  }

  /** How this viewer last tried to buy it. */
  findLastCheckout(): Promise<PaymentLine | undefined> {
    return findLastCheckout(this.#readers.db, this.#viewer, this.id);
  }

  /** The last ones, newest first; null for everybody but the owner. */
  async findVersions(): Promise<Version[] | null> {
    return this.mine ? readVersions(this.#readers.db, this.id) : null;
  }

  findSeller(): Promise<LinkSeller> {
    return this.#readers.findSeller(this.owner);
  }

  /** Whether what is on sale is still being checked, so that nobody can buy it yet. */
  async isPending(): Promise<boolean> {
    const files = await this.findFilesOnSale();
    return files.some(({ checked_at }) => checked_at === null);
  }

  /** Why what is on sale can be neither bought nor downloaded yet, or ever; null where it can. */
  async findHold(): Promise<Fact | null> {
    if (this.#read('taken_down_at') !== null) return fact(TAKEN_DOWN);
    const files = await this.findFilesOnSale();
    const lack = await this.#findLack();
    if (lack) return lack;
    const because = files.find(({ refused_because }) => refused_because)?.refused_because;
    if (because) return describeRefused(because);
    return (await this.isPending()) ? describePending(this.free ? 'downloaded' : 'bought') : null;
  }

  /** Why a bundle has nothing to sell to this viewer; null where it has. */
  async #findLack(): Promise<Fact | null> {
    if (!this.isBundle) return null;
    const parts = await this.#findPartsOnSale();
    if (!isComplete(parts)) return INCOMPLETE;
    const context = { db: this.#readers.db, viewer: this.#viewer };
    return !this.mine && (await hasAll(context, parts)) ? ALL_OWNED : null;
  }

  /** The files that this viewer has, or would get. */
  async listContents(): Promise<StoredFile[]> {
    if (this.isBundle) return this.findFilesOnSale();
    return (await (await this.unlock())?.files()) ?? this.findFilesOnSale();
  }

  /** Why the files on sale cannot be sold, for the owner; null for everybody else. */
  async findFault(): Promise<Fact | null> {
    const content = this.mine ? await this.unlock() : null;
    return content && findFault(this.#readers, await content.files());
  }
}

/** A link in the GraphQL schema: graphql.ts says its fields. */
export const PaywallLink = builder.objectRef<PresentedLink>('PaywallLink');

async function findFault({ store }: LinkReaders, files: StoredFile[]): Promise<Fact | null> {
  for (const file of files) {
    const damage = await findDamage(store, file);
    if (damage) {
      return fact(
        'The stored file “{name}” {damage}. It is neither sold nor delivered until the operator restores it from a backup. You can also upload it again and sell it with a new link.',
        { name: file.name, damage },
      );
    }
  }
  return null;
}

const EXTENSIONS: Record<string, string> = {
  'image/webp': 'webp',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
};

const previewAddress = (blob: string, mediaType: string) =>
  `/previews/${blob}.${EXTENSIONS[mediaType]}`;

function unlock(
  db: Database,
  link: Link,
  access: Access,
  findFilesOnSale: () => Promise<StoredFile[]>,
) {
  if (access.kind !== 'granted') return null;
  const { rights } = access;
  const versions = chooseVersions(link, rights);
  const newer = versionsByRights(link, rights).find(({ isNewer }) => isNewer);
  let found: Promise<StoredFile[]> | undefined;
  const hasBought = rights.some(({ right }) => right.kind === 'grant');
  const find = () =>
    hasBought || link.type === 'bundle'
      ? filesOfVersions(db, link, versions).then(filesOf)
      : findFilesOnSale();
  const files = () => (found ??= find());
  const [{ right, version }] = rights;
  const isBought = right.kind === 'grant';
  return {
    /** Null for files. */
    url: () => findUrl(db, link, version),
    /** Of the first of the files; null for a web address. */
    key: async () => (isBought ? ((await files())[0]?.key ?? null) : link.key),
    /** Looked up once; none for a web address. */
    files,
    /** Whether the viewer gets PDFs with a stamp, which are not the files byte by byte. */
    isStamped: isBought && link.stamp === 1,
    /** The versions that were bought, the newest purchase first. */
    bought: versions.flatMap(({ number, right }) => (right.kind === 'grant' ? [number] : [])),
    /** Whether the viewer paid for one of them, or whoever has this browser did. */
    paid: rights.some(({ right, isGift }) => right.kind === 'grant' && !isGift),
    /** Those that came with what was bought; looked up only where there were ever any. */
    licenseKeys: async (): Promise<BoughtKey[]> =>
      link.license_keys === null ? [] : findBoughtKeys(db, link.id, grantsAmong(rights)),
    /** What is on sale, if it holds something that was not bought. */
    async newer(): Promise<Version | null> {
      const [found] = newer ? await readVersions(db, link.id, newer.number) : [];
      if (!found?.files.every(mayBeSold)) return null;
      const held = new Set((await files()).map(({ key }) => key));
      const isNews = found.files.some(({ key }) => !held.has(key));
      return isNews || found.url !== (await findUrl(db, link, version)) ? found : null;
    },
  };
}

const grantsAmong = (rights: GivenRight[]) =>
  rights.flatMap(({ right }) => (right.kind === 'grant' ? [right.grantId] : []));

const mayBeSold = ({ checked_at, refused_because }: StoredFile) =>
  checked_at !== null && refused_because === null;

const filesOf = (accessible: AccessibleFile[]) => accessible.map(({ file }) => file);

/**
 * A link that this viewer may know about: deleted and taken-down ones exist only for viewers with
 * access.
 * @param access where it was looked up already
 */
export async function findVisibleLink(
  readers: LinkReaders,
  viewer: Viewer,
  link: KnownLink | undefined,
  access?: Access,
): Promise<PresentedLink | null> {
  if (!link) return null;
  const presented = new PresentedLink(readers, viewer, link, access);
  return isOffered(link) || (await presented.unlock()) ? presented : null;
}

/** What open pages and lists are told of a link that was just taken down: only that it was. */
export function presentTakenDown(readers: LinkReaders, viewer: Viewer, link: Link): PresentedLink {
  const bare = {
    title: null,
    description: null,
    key: null,
    url: null,
    size_bytes: null,
    media_type: null,
    unlocked: 0,
    paused: 0,
    preview_blob: null,
    cover: null,
  };
  const findFiles = async () => [];
  const findParts = async () => [];
  return new PresentedLink({ ...readers, findFiles, findParts }, viewer, { ...link, ...bare });
}

/** The public facts about a link on sale, for other sites to show. */
export interface Offer {
  link: Link;
  /** The title, or how a link without one is named. */
  name: string;
  seller: string | null;
  /** "$4.99" or "Free" */
  price: string;
}

/** Null for what does not exist, was deleted or taken down. */
export async function findOffer(readers: LinkReaders, id: string): Promise<Offer | null> {
  const link = await findLink(readers.db, id);
  if (!link || !isOffered(link)) return null;
  return {
    link,
    name: nameLink(link),
    seller: (await readers.findSeller(link.owner_id)).name,
    price: putIntoEnglish(
      priceOf({ price: link.price_cents, least: link.least_cents, free: link.unlocked === 1 }),
    ),
  };
}
