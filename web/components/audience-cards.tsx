const AUDIENCES = [
  {
    title: 'Students Sell Study Packs',
    text: 'Turn the notes, summaries and flashcards you made anyway into study packs others pay for.',
  },
  {
    title: 'Writers Share Premium Insights',
    text: 'Offer essays, reports and premium PDFs to your readers, one link at a time.',
  },
  {
    title: 'Producers Sell Project Files',
    text: 'Sell the project files behind your music and videos: sessions, presets, templates.',
  },
  {
    title: 'Coaches Share Toolkits',
    text: 'Package worksheets, plans and checklists, and be paid each time they help somebody.',
  },
];

export function AudienceCards() {
  return (
    <section className="mx-auto w-full max-w-6xl px-5 py-16 sm:px-8 sm:py-24">
      <h2 className="text-3xl sm:text-4xl">Earn With What You Know</h2>
      <ul className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        {AUDIENCES.map(({ title, text }) => (
          <li className="card audience-card p-6" key={title}>
            <h3 className="text-xl">{title}</h3>
            <p className="mt-3 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
