import { describeContents } from '../../../contract/describe-contents.ts';
import { type Fact, fact, putIntoEnglish } from '../../../contract/fact.ts';
import { isPdf } from '../../catalog/links/stamp.ts';
import { builder } from '../../edge/graphql/builder.ts';
import { showFacts } from '../../files/file-facts.ts';
import type { StoredFile } from '../../files/tables.ts';
import { PaywallLink, type PresentedLink } from './present-link.ts';

export const PaywallFile = builder.simpleObject('PaywallFile', {
  fields: (t) => ({
    key: t.string(),
    name: t.string({
      description: 'With the folders that it lies in: track1/mix.txt.',
    }),
    size: t.float({ description: 'Bytes.' }),
    mediaType: t.string(),
    sha256: t.string({
      nullable: true,
      description:
        'Of the bytes, in hexadecimal; null until it is known, and of a PDF that its buyer gets stamped.',
    }),
  }),
});

const ContentFacts = builder.simpleObject('ContentFacts', {
  description: 'What anybody may know of a file: neither its name nor its content.',
  fields: (t) => ({
    mediaType: t.string({ description: 'As its first bytes tell it.' }),
    size: t.float({ description: 'Bytes.' }),
    pages: t.int({ nullable: true, description: 'Of a PDF document.' }),
    width: t.int({ nullable: true, description: 'Pixels, of a picture or a video.' }),
    height: t.int({ nullable: true }),
    seconds: t.float({ nullable: true, description: 'How long audio or video lasts.' }),
  }),
});

export const showFile = (file: StoredFile, isStamped = false) => ({
  key: file.key,
  name: file.name,
  size: file.size_bytes,
  mediaType: file.media_type,
  sha256: isStamped && isPdf(file) ? null : file.sha256,
});

/** What a link sells: its facts to everybody, itself to whom it is unlocked for. */
builder.objectFields(PaywallLink, (t) => ({
  key: t.string({
    nullable: true,
    description: 'Storage key of the first file. Null unless this viewer may have the content.',
    resolve: async (link) => (await link.unlock())?.key(),
  }),
  url: t.field({
    type: 'URL',
    nullable: true,
    description:
      'Null unless this viewer may have the content. Of a bundle its own page, which leads to its parts.',
    resolve: async (link, _args, { publicUrl }) => {
      const content = await link.unlock();
      return content && link.isBundle ? `${publicUrl}/p/${link.id}` : content?.url();
    },
  }),
  pending: t.boolean({
    description:
      'True while a file on sale is still being checked: it can be neither bought nor downloaded yet.',
    resolve: (link) => link.isPending(),
  }),
  size: t.exposeFloat('size', {
    nullable: true,
    description: "Total bytes of all files on sale; null unless the type is 'file'.",
  }),
  mediaType: t.exposeString('mediaType', {
    nullable: true,
    description: "Media type of the first file on sale; null unless the type is 'file'.",
  }),
  fileCount: t.int({
    description: "How many files are on sale, of a bundle in all parts; 0 for type 'link'.",
    resolve: async (link) => (await link.findFilesOnSale()).length,
  }),
  files: t.field({
    type: [PaywallFile],
    nullable: true,
    description:
      'What this viewer gets: buyers, the files they bought; others, the files now on sale. Null unless ' +
      'this viewer may have the content.',
    resolve: async (link) => {
      const content = await link.unlock();
      const files = await content?.files();
      return files?.map((file) => showFile(file, content?.isStamped));
    },
  }),
  contents: t.field({
    type: [ContentFacts],
    description:
      'What is known of each file: of those on sale or, for a buyer, of those that were bought. ' +
      "Empty for type 'link'. What could not be read from a file is null.",
    resolve: async (link) => {
      const files = await link.listContents();
      return files.map(showFacts);
    },
  }),
  summary: t.stringList({
    description:
      'The same in words: "PDF document, 2.4 MB, 24 pages"; of several files their number and ' +
      'size, and then what each kind amounts to. Of a bundle, before that, the number of its parts.',
    resolve: async (link) => (await summarize(link)).map(putIntoEnglish),
  }),
  summaryFacts: t.field({ type: ['Fact'], resolve: summarize }),
  parts: t.field({
    type: [PaywallLink],
    nullable: true,
    description:
      'The links in a bundle: those on sale or, for a buyer, those that were bought. Null unless the ' +
      "type is 'bundle'.",
    resolve: (link) => link.findParts(),
  }),
  fault: t.string({
    nullable: true,
    description:
      'Why the files on sale are neither sold nor delivered, in a sentence. Null when they are ' +
      'intact, and unless the viewer is the owner.',
    resolve: async (link) => {
      const fault = await link.findFault();
      return fault && putIntoEnglish(fault);
    },
  }),
  faultFact: t.field({ type: 'Fact', nullable: true, resolve: (link) => link.findFault() }),
}));

async function summarize(link: PresentedLink): Promise<Fact[]> {
  const files = (await link.listContents()).map(showFacts);
  const parts = await link.findParts();
  // What comes with a purchase.
  const license = link.licenses && !link.free ? [fact('A license key')] : [];
  const isStamped = [link, ...(parts ?? [])].some((each) => each.stamp && !each.free);
  const pdfs = files.filter(({ mediaType }) => mediaType === 'application/pdf').length;
  const holds = isStamped && pdfs > Number(link.stampFails);
  const stamp = holds ? [fact('Stamped with your email address')] : [];
  if (!parts) return [...describeContents(files), ...stamp, ...license];
  const bundle = fact('Bundle of {count}', { count: parts.length });
  return [bundle, ...(files.length > 0 ? describeContents(files) : []), ...stamp, ...license];
}
