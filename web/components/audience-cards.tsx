import { formatPrice } from '../data/format.ts';
import { useInView } from '../data/use-in-view.ts';
import { BookIcon, ChecklistIcon, PenIcon, WaveIcon } from './icons.tsx';
import { LinkKey } from './link-key.tsx';

/** With an example of a link each: its address and its price in cents. */
const AUDIENCES = [
  {
    title: 'Students Sell Study Packs',
    text: 'Turn the notes, summaries and flashcards you made anyway into study packs others pay for.',
    example: { id: '5af1c29e', price: 300 },
    AudienceIcon: BookIcon,
  },
  {
    title: 'Writers Share Premium Insights',
    text: 'Offer essays, reports and premium PDFs to your readers, one link at a time.',
    example: { id: '0c7e3b91', price: 199 },
    AudienceIcon: PenIcon,
  },
  {
    title: 'Producers Sell Project Files',
    text: 'Sell the project files behind your music and videos: sessions, presets, templates.',
    example: { id: 'e2f37188', price: 500 },
    AudienceIcon: WaveIcon,
  },
  {
    title: 'Coaches Share Toolkits',
    text: 'Package worksheets, plans and checklists, and be paid each time they help somebody.',
    example: { id: '9be41c07', price: 250 },
    AudienceIcon: ChecklistIcon,
  },
];

export function AudienceCards() {
  const { ref, inView } = useInView<HTMLUListElement>();
  return (
    <section className="mx-auto w-full max-w-6xl px-5 py-16 sm:px-8 sm:py-24">
      <h2 className="text-3xl sm:text-4xl">Earn With What You Know</h2>
      <ul
        className="awaits-script audience-cards mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-4"
        data-in-view={inView}
        ref={ref}
      >
        {AUDIENCES.map(({ title, text, example, AudienceIcon }) => (
          <li className="card audience-card" key={title}>
            <div className="p-6">
              <AudienceIcon className="mb-8 size-8" />
              <h3 className="text-xl">{title}</h3>
              <p className="mt-3 text-muted">{text}</p>
            </div>
            <p aria-hidden="true" className="audience-stub">
              <LinkKey className="w-14" id={example.id} />
              {formatPrice(example.price)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
