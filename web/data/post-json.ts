import { readRefusal } from './request-error.ts';

/** Gets JSON with the session cookie. Throws RequestError on a refusal. */
export async function getJson<Answer>(url: string): Promise<Answer> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw await readRefusal(response);
  return response.json();
}

/** Posts JSON with the session cookie and reads the JSON answer. Throws RequestError on a refusal. */
export async function postJson<Answer>(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await readRefusal(response);
  return response.json();
}
