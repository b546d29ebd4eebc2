import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { LogEvent } from 'kysely';
import type { Answer } from '../../edge/http/tell-answers.ts';

interface Options {
  /** The address of the collector, to which /v1/traces is added. */
  endpoint: string;
  /** Of this installation among what the collector hears. */
  serviceName: string;
  version: string;
  /** Told what the collector did not take. */
  onFault(message: string): void;
}

/** What the spans of one request or job are made by. Nothing in a span names a person. */
export type Tracing = ReturnType<typeof openTracing>;

/** With all that is tried again: a stop waits no longer for its last spans. */
const TAKEN_WITHIN_MS = 1_500;

/** Sends spans by OTLP over HTTP. Loaded only where a collector is named. */
export function openTracing(options: Options) {
  const { version, onFault } = options;
  const provider = createProvider(options);
  const tracer = provider.getTracer('padlink', version);
  const active = new AsyncLocalStorage<Context>();
  const answers = new Map<string, Span>();
  const unwatch = watchRequests((name, attributes) => {
    const parent = active.getStore();
    return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  });

  return {
    /**
     * Runs what answers a request within its span, which `answered` ends.
     * @param traceparent of whoever asked, by the W3C's Trace Context
     */
    answer<Result>(reqId: string, traceparent: unknown, run: () => Result): Result {
      const caller = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
      const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
      answers.set(reqId, span);
      return active.run(trace.setSpan(parent, span), run);
    },
    answered({ reqId, method, route, status, cut }: Answer): void {
      const span = answers.get(reqId);
      if (!span) return;
      answers.delete(reqId);
      span.updateName(route === null ? method : `${method} ${route}`);
      span.setAttributes({
        'http.request.method': method,
        ...(route !== null && { 'http.route': route }),
        'http.response.status_code': status,
        'padlink.request_id': reqId,
        ...(cut && { 'padlink.cut': true }),
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    async runJob<Result>(kind: string, run: () => Promise<Result>): Promise<Result> {
      const span = tracer.startSpan(`job ${kind}`, { kind: SpanKind.CONSUMER }, ROOT_CONTEXT);
      try {
        return await active.run(trace.setSpan(ROOT_CONTEXT, span), run);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    statementRan({ level, query, queryDurationMillis }: LogEvent): void {
      const parent = active.getStore();
      if (!parent) return;
      const ended = performance.timeOrigin + performance.now();
      const [operation = ''] = query.sql.split(/\s/, 1);
      const attributes = { 'db.operation.name': operation, 'db.query.text': query.sql };
      const startTime = ended - queryDurationMillis;
      const span = tracer.startSpan(
        operation,
        { kind: SpanKind.CLIENT, attributes, startTime },
        parent,
      );
      if (level === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(ended);
    },
    /** Sends what is left. */
    async close(): Promise<void> {
      unwatch();
      await provider.shutdown().catch((error: Error) => onFault(error.message));
    },
  };
}

function createProvider({ endpoint, serviceName, version, onFault }: Options): TracerProvider {
  diag.setLogger(
    { error: onFault, warn: onFault, info() {}, debug() {}, verbose() {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: TAKEN_WITHIN_MS,
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}

type Begin = (name: string, attributes: Attributes) => Span | undefined;

/** Spans of what is asked of other servers, by host alone: paths may open something. */
function watchRequests(begin: Begin): () => void {
  const spans = new WeakMap<object, Span>();
  const start = (request: object, method: string, host: string) => {
    const attributes = { 'http.request.method': method, 'server.address': host };
    const span = begin(`${method} ${host}`, attributes);
    if (span) spans.set(request, span);
  };
  const end = (request: object, status: number | undefined) => {
    const span = spans.get(request);
    if (status !== undefined) span?.setAttribute('http.response.status_code', status);
    else span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };
  const channels: Record<string, (message: never) => void> = {
    'http.client.request.start': ({ request }: { request: ClientRequest }) =>
      start(request, request.method, request.host),
    'http.client.response.finish': (told: { request: ClientRequest; response: IncomingMessage }) =>
      end(told.request, told.response.statusCode),
    'http.client.request.error': ({ request }: { request: ClientRequest }) =>
      end(request, undefined),
    'undici:request:create': ({ request }: { request: UndiciRequest }) =>
      start(request, request.method, new URL(String(request.origin)).hostname),
    'undici:request:headers': (told: { request: object; response: { statusCode: number } }) =>
      end(told.request, told.response.statusCode),
    'undici:request:error': ({ request }: { request: object }) => end(request, undefined),
  };
  const all = Object.entries(channels) as [string, (message: unknown) => void][];
  for (const [name, hear] of all) subscribe(name, hear);
  return () => {
    for (const [name, hear] of all) unsubscribe(name, hear);
  };
}

interface UndiciRequest {
  method: string;
  origin: string | URL;
}
