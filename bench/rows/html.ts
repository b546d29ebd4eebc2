import { createLink, signUp, uploadFile } from '../../tests/factories.ts';
import { compareRequests } from '../measure-requests.ts';
import type { Row } from '../row.ts';
import { startBareServer, startSubject } from '../subject.ts';

/** /p/:id as an anonymous visitor gets it, kept and rendered afresh, beside an equal buffer. */
export async function html(): Promise<Row[]> {
  const subject = await startSubject();
  try {
    const seller = await signUp(subject);
    const { key } = await uploadFile(seller, { name: 'notes.pdf', bytes: new Uint8Array(5_000) });
    const { id } = await createLink(seller, { key, title: 'Lecture notes' });
    const url = `${subject.origin}/p/${id}`;
    const { length } = await (await fetch(url)).bytes();
    const bare = await startBareServer(length);
    try {
      const yardstick = { url: `${bare.origin}/html` };
      const against = `node:http, ${length} bytes`;
      const kept = await compareRequests({ url }, yardstick);
      // A query string makes the page one of its own, rendered for this request alone.
      const fresh = await compareRequests({ url: `${url}?fresh` }, yardstick);
      return [
        { name: 'HTML of /p/:id, anonymous', ...kept, unit: 'requests/s', against, target: 0.5 },
        { name: 'HTML of /p/:id, rendered', ...fresh, unit: 'requests/s', against, target: 0.15 },
      ];
    } finally {
      await bare.stop();
    }
  } finally {
    await subject.stop();
  }
}
