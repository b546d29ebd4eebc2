import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** As a proxy does, which buyers reach a shop through. */
const agent = new Agent({ keepAlive: true });

export interface Asked {
  method?: 'GET' | 'POST';
  headers?: OutgoingHttpHeaders;
  body?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Asks by node:http, for fetch itself takes longer than what is measured. */
export function ask(url: string, { method = 'GET', headers = {}, body }: Asked): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { agent, method, headers: { ...headers, ...length } };
  const sent = request(url, options, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    answer.on('end', () => {
      const { statusCode: status = 0, headers: got } = answer;
      resolve({ status, headers: got, text: Buffer.concat(chunks).toString() });
    });
  });
  sent.on('error', reject).end(body);
  return promise;
}
