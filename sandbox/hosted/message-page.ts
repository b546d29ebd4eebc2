import { documentPage, type Page } from './document.ts';
import { html } from './html.ts';

export interface Message {
  status: number;
  title: string;
  text: string;
  /** Where to go from here, if there is anywhere. */
  link?: { href: string; label: string } | undefined;
}

/** Says why there is nothing to do here. */
export function messagePage({ status, title, text, link }: Message): Page {
  const content = html`<main class="narrow">
<div class="card">
<h1>${title}</h1>
<p>${text}</p>
${link && html`<p><a class="secondary" href="${link.href}">${link.label}</a></p>`}
</div>
</main>`;
  return documentPage(content, { title, status });
}
