// Padlink as its users start it, but for the provider, which is asked at PROVIDER_URL.
import { run } from '../../dist/program/run.mjs';
import { keepHeapSmall } from '../../server/running/keep-heap-small.mjs';
import { settleShapes } from '../../server/running/settle-shapes.mjs';

settleShapes();
process.env.NODE_ENV = 'production';
await run(process.env, { providerUrl: process.env.PROVIDER_URL });
keepHeapSmall();
