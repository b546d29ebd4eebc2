/** Somebody with a browser: keeps the cookies that the product sets. */
export type Person = {
  origin: string;
  cookies: Map<string, string>;
  fetch(path: string, init?: RequestInit & { duplex?: 'half' }): Promise<Response>;
};

function keepCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';');
    const [name = '', ...value] = pair.split('=');
    const isOver = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
    if (isOver) cookies.delete(name.trim());
    else cookies.set(name.trim(), value.join('='));
  }
}

/** A new visitor of the product. Redirects are not followed: tests look at them. */
export function createPerson(app: { origin: string }): Person {
  const cookies = new Map<string, string>();
  return {
    origin: app.origin,
    cookies,
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      if (jar) headers.set('cookie', jar);
      // As a browser does; the product refuses writes with cookies that do not say where from.
      if (!headers.has('origin') && init.method && init.method !== 'GET') {
        headers.set('origin', app.origin);
      }
      const url = new URL(path, app.origin);
      const response = await fetch(url, { redirect: 'manual', ...init, headers });
      keepCookies(cookies, response);
      return response;
    },
  };
}

/** A new visitor at a network address of their own, for a product that trusts this machine as proxy. */
export function createPersonAt(app: { origin: string }, address: string): Person {
  const person = createPerson(app);
  return {
    ...person,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('x-forwarded-for', address);
      return person.fetch(path, { ...init, headers });
    },
  };
}

/** The body as JSON, for an answer that must have succeeded. */
export async function readJson<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

/** Posts JSON. */
export function postJson(person: Person, path: string, body: unknown, headers = {}) {
  return person.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
