import { useInView } from '../data/use-in-view.ts';
import { BookIcon, ChecklistIcon, PenIcon, WaveIcon } from './icons.tsx';

const AUDIENCES = [
  {
    title: 'Students Sell Study Packs',
    text: 'Turn the notes, summaries and flashcards you made anyway into study packs others pay for.',
    AudienceIcon: BookIcon,
  },
  {
    title: 'Writers Share Premium Insights',
    text: 'Offer essays, reports and premium PDFs to your readers, one link at a time.',
    AudienceIcon: PenIcon,
  },
  {
    title: 'Producers Sell Project Files',
    text: 'Sell the project files behind your music and videos: sessions, presets, templates.',
    AudienceIcon: WaveIcon,
  },
  {
    title: 'Coaches Share Toolkits',
    text: 'Package worksheets, plans and checklists, and be paid each time they help somebody.',
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
        {AUDIENCES.map(({ title, text, AudienceIcon }) => (
          <li className="card p-6" key={title}>
            <AudienceIcon className="mb-8 size-8" />
            <h3 className="text-xl">{title}</h3>
            <p className="mt-3 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
