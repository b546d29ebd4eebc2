import {
  DefaultHttpStack,
  type HttpRequest,
  type HttpResponse,
  type HttpStack,
} from 'tus-js-client';

/** At the same time: while one is hashed or signed, others use the line. */
const AT_ONCE = 3;

/**
 * Sends the bytes of an upload straight to the store where the server offers that, and to the
 * server otherwise. The protocol stays tus: what would be one PATCH is sent as the parts that the
 * store does not have yet, and a HEAD that says how far the upload is then.
 */
export function createPartsStack(file: Blob): HttpStack {
  const stack = new DefaultHttpStack({});
  // Hashing a part needs https.
  let isOffered = 'subtle' in crypto;
  let isReached = false;
  let partsUrl: string | null = null;

  function note(request: HttpRequest): HttpRequest {
    const send = request.send.bind(request);
    request.send = async (body) => {
      const response = await send(body);
      partsUrl = (isOffered && response.getHeader('Upload-Parts')) || null;
      return response;
    };
    return request;
  }

  function createRequest(method: string, url: string): HttpRequest {
    if (method === 'PATCH' && partsUrl) return new PartsRequest(file, url, partsUrl, told);
    const request = stack.createRequest(method, url);
    return method === 'POST' || method === 'HEAD' ? note(request) : request;
  }

  function told(reached: boolean): void {
    isReached ||= reached;
    // A store that cannot be reached from here is reached by way of the server.
    isOffered = isReached;
  }

  return { createRequest, getName: () => 'parts' };
}

interface Part {
  number: number;
  bytes: Blob;
}

/** A PATCH of the rest of an upload, sent in parts. */
class PartsRequest implements HttpRequest {
  readonly #stack = new DefaultHttpStack({});
  readonly #headers = new Map<string, string>();
  readonly #running = new Map<HttpRequest, number>();
  readonly #file: Blob;
  readonly #url: string;
  readonly #partsUrl: string;
  readonly #told: (isReached: boolean) => void;
  #onProgress = (_bytes: number) => {};
  #storedBytes = 0;
  #isEnded = false;

  constructor(file: Blob, url: string, partsUrl: string, told: (isReached: boolean) => void) {
    this.#file = file;
    this.#url = url;
    this.#partsUrl = partsUrl;
    this.#told = told;
  }

  getMethod = () => 'PATCH';
  getURL = () => this.#url;
  getUnderlyingObject = () => null;
  getHeader = (name: string) => this.#headers.get(name);

  setHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  setProgressHandler(handler: (bytesSent: number) => void): void {
    this.#onProgress = handler;
  }

  async abort(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#running.keys()].map((request) => request.abort()));
  }

  async send(): Promise<HttpResponse> {
    try {
      return await this.#sendAll();
    } finally {
      await this.abort();
    }
  }

  async #sendAll(): Promise<HttpResponse> {
    const listed = await this.#ask('GET', this.#partsUrl);
    if (listed.getStatus() !== 200) return listed;
    const { partBytes, stored } = JSON.parse(listed.getBody());
    const missing: Part[] = [];
    for (let begin = 0, number = 1; begin < this.#file.size; begin += partBytes, number += 1) {
      const bytes = this.#file.slice(begin, begin + partBytes);
      if (stored.includes(number)) this.#storedBytes += bytes.size;
      else missing.push({ number, bytes });
    }
    let refusal: HttpResponse | null = null;
    const work = async () => {
      for (let part = missing.shift(); part && !refusal; part = missing.shift()) {
        refusal = (await this.#sendPart(part)) ?? refusal;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return refusal ?? this.#ask('HEAD', this.#url);
  }

  /** @returns what the server said instead of signing it. @throws Error when it did not arrive */
  async #sendPart({ number, bytes }: Part): Promise<HttpResponse | null> {
    const sha256 = await hashOf(bytes);
    const signed = await this.#ask('POST', `${this.#partsUrl}/${number}?sha256=${sha256}`);
    if (signed.getStatus() !== 200) return signed;
    const { url, headers } = JSON.parse(signed.getBody());
    const request = this.#open('PUT', url);
    for (const [name, value] of Object.entries<string>(headers)) request.setHeader(name, value);
    request.setProgressHandler((sent) => {
      this.#running.set(request, sent);
      this.#tell();
    });
    const stored = await request.send(bytes).catch(() => null);
    this.#running.delete(request);
    const isStored = stored?.getStatus() === 200;
    this.#told(isStored);
    if (!isStored) throw new Error(`The store answered ${stored?.getStatus() ?? 'nothing'}`);
    this.#storedBytes += bytes.size;
    this.#tell();
    return null;
  }

  #tell(): void {
    let bytes = this.#storedBytes - Number(this.#headers.get('Upload-Offset'));
    for (const sent of this.#running.values()) bytes += sent;
    this.#onProgress(Math.max(bytes, 0));
  }

  /** Asks the server, as tus does. */
  async #ask(method: string, url: string): Promise<HttpResponse> {
    const request = this.#open(method, url);
    request.setHeader('Tus-Resumable', '1.0.0');
    const response = await request.send(null);
    this.#running.delete(request);
    return response;
  }

  #open(method: string, url: string): HttpRequest {
    if (this.#isEnded) throw new Error('Ended');
    const request = this.#stack.createRequest(method, url);
    this.#running.set(request, 0);
    return request;
  }
}

/** SHA-256 in hexadecimal. */
async function hashOf(bytes: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
