import { type Sentence, say } from '../languages/say.ts';

interface SectionTabsProps {
  /** What they are the sections of. */
  label: string;
  sections: readonly { href: string; label: Sentence }[];
  /** The address of the one that is shown. */
  current: string;
}

/** The ways between the sections of one place, each an address of its own. */
export function SectionTabs({ label, sections, current }: SectionTabsProps) {
  return (
    <nav aria-label={label} className="section-tabs">
      {sections.map((section) => (
        <a
          aria-current={section.href === current ? 'page' : undefined}
          href={section.href}
          key={section.href}
        >
          {say(section.label)}
        </a>
      ))}
    </nav>
  );
}
